#include "report/story.hpp"

#include "report/event_text.hpp"
#include "report/story_lines.hpp"
#include "report/trap_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace heddle {
namespace {

constexpr std::size_t kMaxColumns = 6; ///< more threads side by side are harder to follow than a list
constexpr std::size_t kGap = 2;        ///< between columns, and at the left

std::string name_of(ThreadId thread) { return thread_text(thread) + (thread.index == 0 ? " main" : ""); }

/// Where everything stands: first the places, then a column for each thread, or one for the threads' names and one for all steps.
struct Layout {
    std::map<ThreadId, std::size_t> column; ///< where the steps of a thread start
    std::size_t places = 0;                 ///< width
    std::size_t names = 0;                  ///< width; 0: the threads have columns, and the names stand above them
};

Layout list_layout(Layout layout) {
    for (const auto& [thread, start] : layout.column) {
        layout.names = std::max(layout.names, name_of(thread).size());
    }
    for (auto& [thread, start] : layout.column) {
        start = kGap + layout.names + kGap + layout.places + kGap;
    }
    return layout;
}

Layout layout_of(const std::vector<StoryLine>& lines, std::size_t width) {
    Layout layout;
    std::map<ThreadId, std::size_t> widths;
    for (const StoryLine& line : lines) {
        if (line.left_out == 0) {
            layout.places = std::max(layout.places, line.place.size());
            std::size_t& w = widths[line.thread];
            w = std::max({w, line.text.size(), name_of(line.thread).size()});
        }
    }
    std::size_t start = kGap + layout.places + kGap;
    for (const auto& [thread, w] : widths) {
        layout.column[thread] = start;
        start += w + kGap;
    }
    const bool fits = start - kGap <= width && widths.size() <= kMaxColumns;
    return fits ? layout : list_layout(std::move(layout));
}

class Page {
  public:
    Page(const Layout& layout, const StoryOptions& options) : layout_(layout), options_(options) {}

    void head() {
        if (layout_.names != 0) {
            return;
        }
        std::string line;
        for (const auto& [thread, start] : layout_.column) {
            line.resize(start, ' ');
            line += name_of(thread);
        }
        text_ += options_.paint.strong(line) + "\n";
    }

    void add(const StoryLine& line) {
        const std::string indent(kGap, ' ');
        if (line.left_out > 0) {
            text_ += options_.paint.faint(
                         fmt::format("{}... {} line{} left out ...", indent, line.left_out, line.left_out == 1 ? "" : "s")) +
                     "\n";
            return;
        }
        const std::size_t start = layout_.column.at(line.thread);
        std::string left = indent;
        if (layout_.names != 0) {
            left += fmt::format("{:<{}}", name_of(line.thread), layout_.names + kGap);
        }
        left += line.place;
        left.resize(start, ' ');
        text_ += left + (line.event ? line.text : options_.paint.bad(line.text));
        std::size_t at = start + line.text.size();
        for (const std::string& note : line.notes) {
            const std::string arrow = "<- " + note;
            if (at + kGap + arrow.size() > options_.width) {
                text_ += "\n" + std::string(start, ' ');
                at = start;
            }
            text_ += indent + options_.paint.doubtful(arrow);
            at += kGap + arrow.size();
        }
        text_ += "\n";
    }

    [[nodiscard]] std::string text() && { return std::move(text_); }

  private:
    const Layout& layout_;
    const StoryOptions& options_;
    std::string text_;
};

/// "T1 at prog.c:12:5: data = 1": both sides of a race, say.
std::string accesses(const Program& program, const Violation& v) {
    std::string text;
    for (const std::size_t e : v.about) {
        const WitnessEvent& event = v.witness.events[e];
        text += fmt::format("  {} at {}: {}\n", thread_text(event.event.thread), to_string(program, event.place),
                            event_text(v.witness, e));
    }
    return text;
}

std::string what_is_wrong(const Program& program, const Violation& v, const Paint& paint) {
    std::string text = describe(program, v.trap, v.thread);
    const std::size_t kind = word_of(v.trap.kind).size();
    text = paint.bad(text.substr(0, kind)) + text.substr(kind);
    if (v.about.size() > 1) {
        text += accesses(program, v);
    }
    for (const Violation::Other& other : v.also) {
        text += describe(program, other.trap, other.thread);
    }
    return text;
}

} // namespace

std::string story(const Program& program, const Violation& violation, const StoryOptions& options) {
    std::string text = what_is_wrong(program, violation, options.paint);
    if (violation.witness.events.empty()) {
        return text;
    }
    const std::vector<StoryLine> all = story_lines(program, violation);
    const auto has = [&](std::string_view what) {
        return std::ranges::any_of(all, [&](const StoryLine& line) {
            return std::ranges::any_of(line.notes, [&](const std::string& note) { return note.starts_with(what); });
        });
    };
    const std::vector<StoryLine> lines = shortened(all, violation.thread, options.max_lines);
    const Layout layout = layout_of(lines, options.width);
    Page page(layout, options);
    page.head();
    for (const StoryLine& line : lines) {
        page.add(line);
    }
    text += "\nOne order of events that leads there:\n\n" + std::move(page).text();
    if (has("stale")) {
        text += "\nA stale read sees an older value than the latest in this order; the memory model allows it.\n";
    }
    if (has("early")) {
        text += "\nAn early read sees a write that comes later in this order; the memory model allows it.\n";
    }
    return text;
}

} // namespace heddle

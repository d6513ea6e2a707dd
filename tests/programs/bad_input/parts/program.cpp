#include <vector>

int main() { return static_cast<int>(std::vector<int>(3).size()); }

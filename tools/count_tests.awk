# Reads CTest's LastTest.log and prints "passed failed skipped", counting the cases inside each GoogleTest executable.
# A test that has no such cases, or failed without saying which (a crash, a time-out), counts as one.
function finish(ok) {
    if (!ok && cases_failed == 0) cases_failed = 1
    if (ok && !gtest) cases_passed = 1
    passed += cases_passed; failed += cases_failed; skipped += cases_skipped
    cases_passed = cases_failed = cases_skipped = gtest = 0
}
/^[0-9]+\/[0-9]+ Testing: / { cases_passed = cases_failed = cases_skipped = gtest = 0 }
/^\[  PASSED  \] [0-9]+ tests?\./ { cases_passed = $4; gtest = 1 }
/^\[  FAILED  \] [0-9]+ tests?, listed below:/ { cases_failed = $4; gtest = 1 }
/^\[  SKIPPED \] [0-9]+ tests?[.,]/ { cases_skipped = $4; gtest = 1 }
/^Test Passed\.$/ { finish(1) }
/^Test (Failed|Timeout)/ { finish(0) }
END { print passed + 0, failed + 0, skipped + 0 }

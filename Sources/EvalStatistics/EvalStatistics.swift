// The module EvalStatistics.

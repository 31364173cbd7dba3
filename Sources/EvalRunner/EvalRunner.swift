// The module EvalRunner.

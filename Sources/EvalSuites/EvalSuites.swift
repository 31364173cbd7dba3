// The module EvalSuites.

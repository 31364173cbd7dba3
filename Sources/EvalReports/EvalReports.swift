// The module EvalReports.

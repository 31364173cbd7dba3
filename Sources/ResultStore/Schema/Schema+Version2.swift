extension Schema {
  /// Format 2, which adds the optional facts of records as JSON.
  ///
  /// `details` contains the record's `details` (see `EvalRecords/Details`), or null if there are
  /// none. If queries need one of these facts, a later format adds a view, or a generated column
  /// such as `ALTER TABLE attempt ADD COLUMN x INTEGER AS (details ->> 'x')`.
  static let version2 = """
    ALTER TABLE run ADD COLUMN details TEXT;
    ALTER TABLE suite ADD COLUMN details TEXT;
    ALTER TABLE attempt ADD COLUMN details TEXT;

    """

  /// The views for other programs: the sqlite3 shell, Datasette, DuckDB, Grafana.
  ///
  /// Their names and columns are part of the documented format.
  static let views2 = """
    -- One row for each suite, variant and backend of a run. Skipped attempts are not counted.
    CREATE VIEW suite_pass_rate AS
    SELECT a.run_id, r.label, r.started_at, r.status, a.suite_id, a.variant_id, a.backend_id,
      count(DISTINCT a.case_id) AS cases, count(*) AS attempts,
      sum(a.outcome = 'pass') AS passed, sum(a.outcome = 'error') AS errors,
      1.0 * sum(a.outcome = 'pass') / count(*) AS pass_rate
    FROM attempt a JOIN run r ON r.id = a.run_id
    WHERE a.outcome <> 'skipped'
    GROUP BY a.run_id, a.suite_id, a.variant_id, a.backend_id;

    -- One row for each assertion and path, for each suite, variant and backend of a run, with the
    -- numbers of verdicts.
    CREATE VIEW assertion_verdicts AS
    SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, v.assertion, v.type, v.path,
      count(*) AS verdicts, sum(v.verdict = 'pass') AS passed, sum(v.verdict = 'fail') AS failed,
      sum(v.verdict = 'vacuous') AS vacuous
    FROM attempt a JOIN verdict v ON v.attempt_id = a.id
    WHERE a.outcome <> 'skipped'
    GROUP BY a.run_id, a.suite_id, a.variant_id, a.backend_id, v.assertion, v.type, v.path;

    -- One row for each metric of an attempt.
    CREATE VIEW metric AS
    SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, a.case_id, a.repeat_index,
      m.key AS name, m.value
    FROM attempt a JOIN json_each(a.details, '$.metrics') m;

    """
}

extension Schema {
  /// Format 3, in which a run keeps copies of its references.
  ///
  /// The committed baseline files are the only record of acceptance, so the table of baselines
  /// goes.
  static let version3 = """
    DROP TABLE baseline;

    -- What a run was compared with, as the text of a baseline file.
    CREATE TABLE reference (
      run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      suite_id TEXT NOT NULL,
      copy_text INTEGER NOT NULL REFERENCES text (id),
      PRIMARY KEY (run_id, suite_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reference_copy ON reference (copy_text);

    """

  /// The views of format 3.
  static let views3 = """
    -- One row for each suite of a run that was compared with a reference. An accepted baseline has
    -- a time of acceptance.
    CREATE VIEW reference_run AS
    SELECT run_id, suite_id, header ->> '$.run.id' AS reference_id,
      header ->> '$.run.startedAt' AS started_at,
      nullif(header ->> '$.acceptedAt', '') AS accepted_at, header ->> '$.reason' AS reason
    FROM (
      SELECT r.run_id, r.suite_id, substr(t.body, 1, instr(t.body, char(10)) - 1) AS header
      FROM reference r JOIN text t ON t.id = r.copy_text
    );

    """
}

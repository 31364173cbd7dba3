extension Schema {
  /// The views of format 1.
  ///
  /// These views have been released, so never edit them.
  static let views1 = """
    -- One row for each case, variant and backend of a run. Skipped attempts are not counted.
    CREATE VIEW case_pass_rate AS
    SELECT a.run_id, r.label, r.started_at, r.status, a.suite_id, a.variant_id, a.backend_id,
      a.case_id, count(*) AS attempts, sum(a.outcome = 'pass') AS passed,
      sum(a.outcome = 'error') AS errors, 1.0 * sum(a.outcome = 'pass') / count(*) AS pass_rate
    FROM attempt a JOIN run r ON r.id = a.run_id
    WHERE a.outcome <> 'skipped'
    GROUP BY a.run_id, a.suite_id, a.variant_id, a.backend_id, a.case_id;

    -- How often an expected branch came back as which one; null where no value came back.
    CREATE VIEW branch_confusion AS
    SELECT run_id, suite_id, variant_id, backend_id, path, expected,
      CASE json_type(value, json_path) WHEN 'text' THEN json_extract(value, json_path)
        WHEN 'object' THEN json_extract(value, json_path || '.type') END AS actual,
      count(*) AS attempts
    FROM (
      SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id,
        json_extract(e.value, '$.path') AS path, json_extract(e.value, '$.branch') AS expected,
        replace(replace(json_extract(e.value, '$.path'), '[''', '."'), ''']', '"') AS json_path,
        CASE WHEN a.outcome <> 'error' AND json_valid(t.body) THEN t.body END AS value
      FROM attempt a
      JOIN eval_case c ON c.run_id = a.run_id AND c.suite_id = a.suite_id AND c.id = a.case_id
      JOIN text t ON t.id = a.output_text
      JOIN json_each(c.expected_branches) e
      WHERE a.outcome <> 'skipped'
    )
    GROUP BY run_id, suite_id, variant_id, backend_id, path, expected, actual;

    -- One row for each array of each output that is a value.
    CREATE VIEW array_lengths AS
    SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, a.case_id, a.repeat_index,
      j.fullkey AS path, json_array_length(j.value) AS length
    FROM attempt a
    JOIN text t ON t.id = a.output_text
    JOIN json_tree(CASE WHEN a.outcome <> 'error' AND json_valid(t.body) THEN t.body
      ELSE 'null' END) j
    WHERE j.type = 'array' AND a.outcome <> 'skipped';

    -- One row for each option at each point of choice.
    CREATE VIEW decision_probability AS
    SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, a.case_id, a.repeat_index,
      d.kind, d.path, d.element_index, o.name AS option, o.raw, o.masked, o.sampled,
      o.name = d.chosen AS was_chosen
    FROM attempt a
    JOIN decision d ON d.attempt_id = a.id
    JOIN decision_option o ON o.attempt_id = d.attempt_id AND o.decision_position = d.position;

    """
}

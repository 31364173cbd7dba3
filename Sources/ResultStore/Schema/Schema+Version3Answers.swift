extension Schema {
  /// The views of format 3 that read the shapes of answers (`AnswerShape`), where earlier formats
  /// parse the outputs.
  ///
  /// Attempts of version 0.1 have no shape, so for these the views still search the output. Such
  /// rows of `array_lengths` have SQLite's spelling of the path, with indices.
  static let answerViews3 = """
    DROP VIEW branch_confusion;
    DROP VIEW array_lengths;

    -- How often an expected branch came back as which one; null where no value came back.
    CREATE VIEW branch_confusion AS
    SELECT run_id, suite_id, variant_id, backend_id, path, expected,
      CASE WHEN shape IS NOT NULL THEN (
        SELECT b.value FROM json_each(x.shape, '$.branches') b WHERE b.key = x.path
      )
      -- SQLite can't read a path with an escape, and such a path would end the query.
      WHEN instr(path, '\\') OR instr(path, '"') THEN NULL
      ELSE CASE json_type(value, json_path) WHEN 'text' THEN json_extract(value, json_path)
        WHEN 'object' THEN json_extract(value, json_path || '.type') END
      END AS actual,
      count(*) AS attempts
    FROM (
      SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, a.details -> 'shape' AS shape,
        e.value ->> 'path' AS path, e.value ->> 'branch' AS expected,
        replace(replace(e.value ->> 'path', '[''', '."'), ''']', '"') AS json_path,
        CASE WHEN a.outcome <> 'error' AND json_valid(t.body) THEN t.body END AS value
      FROM attempt a
      JOIN eval_case c ON c.run_id = a.run_id AND c.suite_id = a.suite_id AND c.id = a.case_id
      JOIN text t ON t.id = a.output_text
      JOIN json_each(c.expected_branches) e
      WHERE a.outcome <> 'skipped'
    ) x
    GROUP BY run_id, suite_id, variant_id, backend_id, path, expected, actual;

    -- One row for each array of each output that is a value.
    CREATE VIEW array_lengths AS
    SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, a.case_id, a.repeat_index,
      p.key AS path, l.value AS length
    FROM attempt a
    JOIN json_each(a.details, '$.shape.lengths') p
    JOIN json_each(p.value) l
    WHERE a.outcome NOT IN ('skipped', 'error')
    UNION ALL
    SELECT a.run_id, a.suite_id, a.variant_id, a.backend_id, a.case_id, a.repeat_index,
      j.fullkey AS path, json_array_length(j.value) AS length
    FROM attempt a
    JOIN text t ON t.id = a.output_text
    JOIN json_tree(CASE WHEN json_valid(t.body) THEN t.body ELSE 'null' END) j
    WHERE a.details -> 'shape' IS NULL AND j.type = 'array'
      AND a.outcome NOT IN ('skipped', 'error');

    """
}

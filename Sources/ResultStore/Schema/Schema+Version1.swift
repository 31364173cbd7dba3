extension Schema {
  /// Format 1, which Assay 0.1.0 writes.
  ///
  /// This format has been released, so never edit it.
  static let version1 = """
    -- Every text once: prompts, schemas, instructions, outputs.
    CREATE TABLE text (
      id INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,      -- SHA-256 of the UTF-8 bytes, in hexadecimal
      body TEXT NOT NULL
    ) STRICT;

    CREATE TABLE run (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      label TEXT NOT NULL,
      started_at TEXT NOT NULL,         -- ISO 8601 in UTC
      finished_at TEXT,
      status TEXT NOT NULL,             -- running, complete, interrupted
      tool_version TEXT NOT NULL,
      commit_id TEXT,                   -- of the suites' repository
      comparison TEXT                   -- JSON: the two variants that the run compares
    ) STRICT;
    CREATE INDEX run_status ON run (status);

    CREATE TABLE backend (
      run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      position INTEGER NOT NULL,
      model TEXT NOT NULL,
      model_digest TEXT,
      parameter_count INTEGER,
      is_toy INTEGER NOT NULL,
      engine TEXT NOT NULL,
      is_deterministic INTEGER NOT NULL,
      PRIMARY KEY (run_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE suite (
      run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      id TEXT NOT NULL,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      guards TEXT NOT NULL,
      file TEXT NOT NULL,
      schema_name TEXT NOT NULL,
      repeats INTEGER NOT NULL,
      seed INTEGER NOT NULL,            -- a 64-bit pattern: large seeds show as negative
      tags TEXT NOT NULL,               -- JSON, as are the next three
      options TEXT NOT NULL,
      gate TEXT NOT NULL,
      array_minimums TEXT NOT NULL,
      PRIMARY KEY (run_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE variant (
      run_id INTEGER NOT NULL,
      suite_id TEXT NOT NULL,
      id TEXT NOT NULL,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      schema_text INTEGER NOT NULL REFERENCES text (id),
      instructions_text INTEGER REFERENCES text (id),
      prompt_text INTEGER NOT NULL REFERENCES text (id),
      edits TEXT NOT NULL,              -- JSON
      PRIMARY KEY (run_id, suite_id, id),
      FOREIGN KEY (run_id, suite_id) REFERENCES suite (run_id, id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE eval_case (
      run_id INTEGER NOT NULL,
      suite_id TEXT NOT NULL,
      id TEXT NOT NULL,
      position INTEGER NOT NULL,
      title TEXT NOT NULL,
      tags TEXT NOT NULL,               -- JSON, as are the next two
      expected_branches TEXT NOT NULL,
      assertions TEXT NOT NULL,
      variables_text INTEGER NOT NULL REFERENCES text (id),
      PRIMARY KEY (run_id, suite_id, id),
      FOREIGN KEY (run_id, suite_id) REFERENCES suite (run_id, id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE attempt (
      id INTEGER PRIMARY KEY,
      run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      suite_id TEXT NOT NULL,
      variant_id TEXT NOT NULL,
      backend_id TEXT NOT NULL,
      case_id TEXT NOT NULL,
      repeat_index INTEGER NOT NULL,    -- from zero
      seed INTEGER NOT NULL,
      outcome TEXT NOT NULL,            -- pass, fail, error, skipped
      stop_reason TEXT NOT NULL,
      failure_kind TEXT,
      failure_message TEXT,
      prompt_text INTEGER NOT NULL REFERENCES text (id),
      output_text INTEGER NOT NULL REFERENCES text (id),
      prompt_tokens INTEGER NOT NULL,
      output_tokens INTEGER NOT NULL,
      forced_tokens INTEGER NOT NULL,
      duration REAL,                    -- seconds
      constraint_pressure REAL,         -- nats
      UNIQUE (run_id, suite_id, variant_id, backend_id, case_id, repeat_index),
      FOREIGN KEY (run_id, suite_id, variant_id) REFERENCES variant (run_id, suite_id, id),
      FOREIGN KEY (run_id, suite_id, case_id) REFERENCES eval_case (run_id, suite_id, id),
      FOREIGN KEY (run_id, backend_id) REFERENCES backend (run_id, id)
    ) STRICT;
    CREATE INDEX attempt_output ON attempt (output_text);
    CREATE INDEX attempt_prompt ON attempt (prompt_text);
    -- Deleting a text looks for rows that refer to it.
    CREATE INDEX eval_case_variables ON eval_case (variables_text);
    CREATE INDEX variant_schema ON variant (schema_text);
    CREATE INDEX variant_instructions ON variant (instructions_text);
    CREATE INDEX variant_prompt ON variant (prompt_text);

    CREATE TABLE verdict (
      attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      assertion TEXT NOT NULL,
      type TEXT NOT NULL,
      path TEXT NOT NULL,
      verdict TEXT NOT NULL,            -- pass, fail, vacuous
      expected TEXT NOT NULL,
      actual TEXT NOT NULL,
      PRIMARY KEY (attempt_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE decision (
      attempt_id INTEGER NOT NULL REFERENCES attempt (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      kind TEXT NOT NULL,               -- array, branch, choice, optional
      path TEXT NOT NULL,
      element_index INTEGER NOT NULL,   -- for arrays: how many elements are there already
      chosen TEXT NOT NULL,
      step INTEGER NOT NULL,
      unresolved REAL,
      PRIMARY KEY (attempt_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE decision_option (
      attempt_id INTEGER NOT NULL,
      decision_position INTEGER NOT NULL,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      raw REAL,                         -- before the mask
      masked REAL,                      -- after it
      sampled REAL,                     -- as it was sampled
      PRIMARY KEY (attempt_id, decision_position, position),
      FOREIGN KEY (attempt_id, decision_position) REFERENCES decision (attempt_id, position)
        ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    -- The steps of decoding, as JSON: see Rows/TraceText.swift.
    CREATE TABLE trace (
      attempt_id INTEGER PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
      steps TEXT NOT NULL
    ) STRICT;

    CREATE TABLE baseline (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      run_id INTEGER NOT NULL REFERENCES run (id),
      suite_id TEXT NOT NULL,
      backend_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      accepted_at TEXT NOT NULL,
      FOREIGN KEY (run_id, suite_id) REFERENCES suite (run_id, id),
      FOREIGN KEY (run_id, backend_id) REFERENCES backend (run_id, id)
    ) STRICT;
    CREATE INDEX baseline_suite ON baseline (suite_id, backend_id);

    """
}

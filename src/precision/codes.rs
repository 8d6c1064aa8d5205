//! What the codes of this module's reasons mean.

/// Code and explanation, sorted by code.
pub const CODES: &[(&str, &str)] = &[
    (
        "index_unsealed",
        "The index has no seal. Its files are not newer than it is, which a copied index or a fresh clone can pretend, so \
         its answers are `near_exact` at most. `cortex index` makes and seals an index; `cortex index seal` seals one that \
         an indexer has just written.",
    ),
    (
        "defined_outside",
        "The symbol is used here and defined in a package that the index does not hold, such as a dependency or the standard library.",
    ),
    (
        "index_compressed",
        "The index is packed with gzip or zstd. Unpack it; it is not done in passing, as a small file can hold a huge one.",
    ),
    ("index_empty_file", "The index is a file of no bytes: the indexer failed, or is still at work."),
    ("index_html", "The index is a web page or XML. A download that failed often leaves one."),
    (
        "index_lfs_pointer",
        "The index is kept by Git LFS and only its pointer is here. `git lfs pull` fetches it.",
    ),
    (
        "index_malformed",
        "The bytes are not those of a SCIP index: a number of more than ten bytes, a group, a field number or type that cannot be, or a record that holds more than its length says.",
    ),
    (
        "index_metadata_late",
        "The protocol puts the metadata first; here a document comes before it, so nothing says how to read that document.",
    ),
    (
        "index_metadata_repeated",
        "Several indexes were joined into one file. Two tools may count columns differently, so none of it is used; name one index by `precision_index.path`.",
    ),
    (
        "index_missing",
        "`precision_index.path` names a file that does not exist. The other places are not searched then.",
    ),
    (
        "index_no_documents",
        "The index holds no document. An indexer that is called in the wrong folder writes such a file and succeeds, so it does not mean that there are no results.",
    ),
    ("index_no_metadata", "The index does not say which tool wrote it, so how it counts columns is unknown."),
    (
        "index_path_violation",
        "The paths of an index are relative to one root, with `/` and without `.` and `..`. Others lead out of the repository or mean nothing on this machine. Run the indexer from the directory that holds all of its documents.",
    ),
    (
        "index_protocol_version",
        "The index is written in a version of the protocol that this version of the program does not know.",
    ),
    (
        "index_stale",
        "Some documents of the index are not proven to describe their files. With a seal, each file has to be in the state in which its content was last found to be what was sealed, or git has to vouch for that content, and neither the project's configuration nor the list of its source files may have changed; `cortex precision-status` compares what was only touched. Without one, each file has to be older than the index. The positions have to fit the text as well. What rests on the others is marked stale and ranks below fresh evidence.",
    ),
    (
        "index_too_large",
        "The index has more bytes, documents, symbols or occurrences than are read. Index parts of the repository by themselves.",
    ),
    (
        "index_truncated",
        "The index ends inside of a record: it was cut off, or its indexer is still writing. None of it is used.",
    ),
    (
        "index_unread",
        "There is an index that cannot be read: it is a link, no regular file, or reading is not allowed. Links are not followed.",
    ),
    (
        "local_unresolved",
        "A local symbol means something only in its document, and that document does not define it. What another document calls by the same number is something else.",
    ),
    (
        "no_implementation_data",
        "Some indexers do not say what implements what. That is not the same as that nothing implements it.",
    ),
    (
        "no_symbol_here",
        "The indexer names no symbol at the position: white space, a comment, a literal, or what it does not resolve. A position at the end of a name belongs to what follows.",
    ),
    (
        "no_symbol_of_that_name",
        "No symbol that the index defines has this identity, name, or dotted tail of names.",
    ),
    (
        "not_in_index",
        "The file is no document of the index: it is newer, was left out by the indexer's settings, or belongs to another language.",
    ),
];

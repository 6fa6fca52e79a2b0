import type { Compression, SourceEntry } from '../types.ts'

/**
 * The archive format: an ordinary tar, compressed as independent gzip members or zstd frames.
 *
 * 1. Members with the entries of the site. A large file starts its own member and continues in the following ones.
 * 2. The tail, also as members: `manifest.json`, `checksums.sha256` for `sha256sum -c`, `index.ndjson`, end of the tar.
 * 3. The trailer, which holds the offset of the tail (`trailer.ts`). Standard tools ignore it.
 */
export const FORMAT_VERSION = 1

/** Input bytes per member: the most work lost in a crash, and the memory a thread needs. */
export const SEGMENT_BYTES = 1 * 1024 * 1024

/** Maximum entries per member. */
export const SEGMENT_ENTRIES = 2000

/** Maximum unpacked size of a member, in bytes. An index that declares more is invalid. */
export const MEMBER_LIMIT = 64 * 1024 * 1024

export const MANIFEST = 'manifest.json'
export const CHECKSUMS = 'checksums.sha256'
export const INDEX = 'index.ndjson'
export const TAIL_NAMES: readonly string[] = [MANIFEST, CHECKSUMS, INDEX]

/** Folders below `files/` that are their own category. Everything else there is `others`. */
export const CATEGORY_FOLDERS = ['uploads', 'themes', 'extensions'] as const

/** Block size of a tar, in bytes (POSIX ustar). */
export const BLOCK = 512
/** Two blocks of zeros end a tar. */
export const END_OF_TAR = 2 * BLOCK

/** An entry of an archive; one line of the index. */
export interface StoredEntry {
  /** Path with `/` separators, without a trailing slash. */
  readonly name: string
  readonly type: SourceEntry['type']
  /** Bytes of content. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  readonly mtimeMs: number
  /** SHA-256 of the stored content, hexadecimal; files only. */
  readonly sha256?: string | undefined
  readonly linkTarget?: string | undefined
  /** Offset of its header in the tar bytes of its member. */
  readonly offset: number
}

/** A member of the archive; in the index it precedes its entries. */
export interface StoredMember {
  /** Offset in the archive file. */
  readonly at: number
  /** Compressed bytes. */
  readonly bytes: number
  readonly tarBytes: number
  /** SHA-256 of the compressed bytes, hexadecimal. */
  readonly sha256: string
  /** Whether it continues the last file of the previous member. */
  readonly continues: boolean
}

/** A file in `manifest.json`: one line in the list `files` at its end. */
export interface ManifestFile {
  readonly name: string
  readonly size: number
  /** SHA-256 of the stored content, hexadecimal. */
  readonly sha256: string
}

/** The head of `manifest.json`, before its list of files. */
export interface Manifest {
  readonly format: 'pentad-backup'
  readonly formatVersion: number
  readonly hostVersion: string
  readonly siteUrl: string
  /** ISO 8601, UTC. */
  readonly created: string
  readonly title: string
  /** The categories it contains. */
  readonly contents: readonly string[]
  readonly compression: Compression
  readonly counts: {
    readonly files: number
    readonly directories: number
    readonly links: number
    /** Total content size of all files. */
    readonly bytes: number
  }
  /** The checksum list in the format of `sha256sum -c`, and its own checksum. */
  readonly checksums: { readonly file: string; readonly sha256: string }
  readonly index: { readonly file: string; readonly sha256: string }
  /**
   * HMAC with a key of the site (`signature.ts`), hexadecimal. Archives from before signatures were introduced have
   * none.
   */
  readonly signature?: string | undefined
}

/** Manifest fields that the pipeline provides; the others are computed. */
export type ManifestFacts = Pick<Manifest, 'hostVersion' | 'siteUrl' | 'created' | 'title' | 'contents'>

/** Rounds up to a full block. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK
}

import type { Compression, SourceEntry } from '../types.ts'

/**
 * The format of our archives: an ordinary tar in closed gzip members or zstd frames.
 *
 * 1. Members with the entries of the site. A large file starts a member of its own and goes on in the next ones.
 * 2. The tail, in members too: `manifest.json`, `checksums.sha256` for `sha256sum -c`, `index.ndjson`, end of the tar.
 * 3. The trailer, which says where the tail begins (`trailer.ts`). Standard tools pass over it.
 */
export const FORMAT_VERSION = 1

/** Bytes of input that go into one member: what a crash costs at most, and what a thread holds in memory. */
export const SEGMENT_BYTES = 1 * 1024 * 1024

/** Entries that go into one member at most. */
export const SEGMENT_ENTRIES = 2000

/** No member of any archive of ours unpacks to more; an index that says so lies. */
export const MEMBER_LIMIT = 64 * 1024 * 1024

export const MANIFEST = 'manifest.json'
export const CHECKSUMS = 'checksums.sha256'
export const INDEX = 'index.ndjson'
export const TAIL_NAMES: readonly string[] = [MANIFEST, CHECKSUMS, INDEX]

/** Folders below `files/` that are categories of their own; all else there is `others`. */
export const CATEGORY_FOLDERS = ['uploads', 'themes', 'extensions'] as const

/** Blocks of a tar (POSIX ustar). */
export const BLOCK = 512
/** Two blocks of zeros end a tar. */
export const END_OF_TAR = 2 * BLOCK

/** An entry as it stands in an archive; a line of the index. */
export interface StoredEntry {
  /** `/` between its parts, none at its end. */
  readonly name: string
  readonly type: SourceEntry['type']
  /** Bytes of content. */
  readonly size: number
  /** Permission bits. */
  readonly mode: number
  readonly mtimeMs: number
  /** Of the stored content, hexadecimal; files only. */
  readonly sha256?: string | undefined
  readonly linkTarget?: string | undefined
  /** Where its header begins, counted from the start of its member's tar bytes. */
  readonly offset: number
}

/** A member of the archive; in the index it stands before its entries. */
export interface StoredMember {
  /** Where it begins in the archive file. */
  readonly at: number
  /** Compressed bytes. */
  readonly bytes: number
  readonly tarBytes: number
  /** Of the compressed bytes. */
  readonly sha256: string
  /** Whether it goes on with the last file of the member before. */
  readonly continues: boolean
}

/** What `manifest.json` says of a file, in a line of its own in the list `files` at its end. */
export interface ManifestFile {
  readonly name: string
  readonly size: number
  /** Of the stored content, hexadecimal. */
  readonly sha256: string
}

/** What `manifest.json` says before its list of files. */
export interface Manifest {
  readonly format: 'pentad-backup'
  readonly formatVersion: number
  readonly hostVersion: string
  readonly siteUrl: string
  /** ISO 8601, UTC. */
  readonly created: string
  readonly title: string
  /** The categories it holds. */
  readonly contents: readonly string[]
  readonly compression: Compression
  readonly counts: {
    readonly files: number
    readonly directories: number
    readonly links: number
    /** Of the content of all files. */
    readonly bytes: number
  }
  /** The same sums as `sha256sum -c` takes them, and the sum of that list. */
  readonly checksums: { readonly file: string; readonly sha256: string }
  readonly index: { readonly file: string; readonly sha256: string }
  /** Made with a key of the site (`signature.ts`), hexadecimal. Archives of before this release have none. */
  readonly signature?: string | undefined
}

/** What the pipeline knows about a backup; the rest of the manifest is counted. */
export type ManifestFacts = Pick<Manifest, 'hostVersion' | 'siteUrl' | 'created' | 'title' | 'contents'>

/** Up to the next full block. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / BLOCK) * BLOCK
}

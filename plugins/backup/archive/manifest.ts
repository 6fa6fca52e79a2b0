import { z } from 'zod'
import { ArchiveError, corrupt } from './errors.ts'
import { FORMAT_VERSION, type Manifest, type ManifestFile, type StoredEntry, type StoredMember } from './format.ts'
import { linesIn } from './lines.ts'

const count = z.int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const manifestSchema = z.object({
  format: z.literal('pentad-backup'),
  formatVersion: z.literal(FORMAT_VERSION),
  hostVersion: z.string().max(100),
  siteUrl: z.string().max(2000),
  created: z.iso.datetime(),
  title: z.string().max(1000),
  contents: z.array(z.string().max(100)).max(100),
  compression: z.enum(['gzip', 'zstd']),
  counts: z.object({ files: count, directories: count, links: count, bytes: count }),
  checksums: z.object({ file: z.string(), sha256 }),
  index: z.object({ file: z.string(), sha256 }),
  signature: sha256.optional(),
})

const fileSchema = z.object({ name: z.string().min(1), size: count, sha256 })

const memberSchema = z.object({ at: count, bytes: count, tarBytes: count, sha256, continues: z.boolean() })

const entrySchema = z.object({
  name: z.string().min(1),
  type: z.enum(['file', 'directory', 'symlink']),
  size: count,
  mode: z.int().min(0).max(0o7777),
  mtimeMs: z.number(),
  sha256: sha256.optional(),
  linkTarget: z.string().optional(),
  offset: count,
})

/** First and last line of the list of files. */
const FILES = '  "files": ['
const FILES_END = '  ]'
/** Maximum length of the head, in characters. */
const LONGEST_HEAD = 1024 * 1024

/**
 * The text before and after the list of files in `manifest.json`. The list comes last, one line per file, so that a
 * manifest of any size is written and read with bounded memory.
 */
export function manifestFrame(manifest: Manifest): [head: Buffer, end: Buffer] {
  const head = JSON.stringify(manifest, null, 2).slice(0, -'\n}'.length)
  return [Buffer.from(`${head},\n${FILES}`), Buffer.from(`\n${FILES_END}\n}\n`)]
}

/** The first line has no leading comma. */
export function manifestFileLine(file: ManifestFile, isFirst: boolean): string {
  return `${isFirst ? '\n' : ',\n'}    ${JSON.stringify(file)}`
}

/**
 * Reads a manifest and reports each of its files.
 * @throws ArchiveError `archive_unsupported` for a newer format, `archive_corrupt` for a damaged manifest
 */
export async function readManifest(
  content: AsyncIterable<Buffer>,
  onFile: (file: ManifestFile) => void,
): Promise<Manifest> {
  let head = ''
  let manifest: Manifest | undefined
  let isComplete = false
  for await (const { text } of linesIn(content)) {
    if (!manifest) {
      head += `${text}\n`
      if (head.length > LONGEST_HEAD) throw corrupt('The manifest of the archive is too large.')
      if (text === FILES) manifest = checkHead(`${head}]}`)
    } else if (text === FILES_END) isComplete = true
    else if (!isComplete) {
      const file = fileSchema.safeParse(parse(text.replace(/,$/, '')))
      if (!file.success) throw corrupt('The manifest of the archive is damaged.')
      onFile(file.data)
    }
  }
  // A newer format may lack the list and must not be reported as damaged.
  manifest ??= checkHead(head)
  if (!isComplete) throw corrupt('The manifest of the archive is damaged.')
  return manifest
}

function checkHead(text: string): Manifest {
  const value = parse(text)
  const version = z.object({ format: z.literal('pentad-backup'), formatVersion: z.int() }).safeParse(value)
  if (!version.success) throw corrupt('The manifest of the archive is damaged or was not written by Pentad.')
  if (version.data.formatVersion !== FORMAT_VERSION) {
    const message = `The archive has format ${version.data.formatVersion}, but this version of Pentad reads format ${FORMAT_VERSION}. Update Pentad to use it.`
    throw new ArchiveError('archive_unsupported', message)
  }
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success) throw corrupt('The manifest of the archive is damaged.')
  return manifest.data
}

/** Parses a line of the index: a member, or an entry of the preceding member. */
export function parseIndexLine(text: string): { member?: StoredMember; entry?: StoredEntry } {
  const value = parse(text)
  const entry = entrySchema.safeParse(value)
  if (entry.success) return { entry: entry.data }
  const member = memberSchema.safeParse(value)
  if (member.success) return { member: member.data }
  throw corrupt('The index of the archive is damaged.')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

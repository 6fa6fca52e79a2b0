import { z } from 'zod'
import { ArchiveError, corrupt } from './errors.ts'
import { FORMAT_VERSION, type Manifest, type StoredEntry, type StoredMember } from './format.ts'

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
})

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

/** @throws ArchiveError that tells a newer format from a damaged manifest */
export function checkManifest(text: string): Manifest {
  const value = parse(text)
  const version = z.object({ format: z.literal('pentad-backup'), formatVersion: z.int() }).safeParse(value)
  if (!version.success) throw corrupt('The manifest of the archive is damaged or of another program.')
  if (version.data.formatVersion !== FORMAT_VERSION) {
    const message = `The archive has format ${version.data.formatVersion}; this version of the site reads format ${FORMAT_VERSION}.`
    throw new ArchiveError('archive_unsupported', message)
  }
  const manifest = manifestSchema.safeParse(value)
  if (!manifest.success) throw corrupt('The manifest of the archive is damaged.')
  return manifest.data
}

/** A line of the index: a member, or an entry of the member before it. */
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

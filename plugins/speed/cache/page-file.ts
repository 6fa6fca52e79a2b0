import { createHash, hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { writeAtomically } from 'pentad'
import { z } from 'zod'
import { type Bodies, trimmed } from './encodings.ts'
import { createPage, type Page, type PageRecord } from './page.ts'
import type { Origin } from './purges.ts'

const size = z.int().min(0).optional()
const recordSchema = z.object({
  key: z.string(),
  path: z.string(),
  status: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  tags: z.array(z.string()),
  moment: z.number(),
  writer: z.string(),
  position: z.string(),
  software: z.string(),
  renderedAt: z.number(),
  maxAge: z.number().nullable(),
  lastModified: z.string().nullable(),
  optimizations: z.array(z.string()),
  sizes: z.object({ identity: z.int().min(0), br: size, zstd: size, gzip: size }),
  hits: z.int(),
})

/** First line of a file: checksum of everything after it, and length of the record in bytes. */
const FIRST_LINE = /^([\w-]{43}) (\d{1,7})\n/
const FIRST_LINE_LENGTH = 52
/** Bytes read for the record, which fits except with very many tags. */
const RECORD_READ = 16 * 1024
const ORDER = ['identity', 'br', 'zstd', 'gzip'] as const

/** File name for a cache key. URLs are never used as paths. */
export function fileNameOf(key: string): string {
  return hash('sha256', key, 'hex')
}

/** The moment of a page in this process; `undefined` if it may be outdated. */
export type FindMoment = (origin: Origin) => Promise<number | undefined>

/** Writes a page atomically and returns the file size. */
export async function writePage(
  path: string,
  { record, bodies }: Page,
  origin: Pick<Origin, 'writer' | 'position'>,
): Promise<number> {
  const text = Buffer.from(JSON.stringify({ ...record, ...origin }))
  const content = [text, ...ORDER.map((encoding) => bodies[encoding] ?? Buffer.alloc(0))]
  const checksum = createHash('sha256')
  for (const part of content) checksum.update(part)
  const first = Buffer.from(`${checksum.digest('base64url')} ${String(text.length).padStart(7, '0')}\n`)
  // One buffer, so that it is one write.
  await writeAtomically(path, Buffer.concat([first, ...content]))
  return first.length + content.reduce((sum, part) => sum + part.length, 0)
}

/** Reads a page; `undefined` if the file is missing, damaged, for another key, or without a moment. */
export async function readPage(path: string, key: string, momentOf: FindMoment): Promise<Page | undefined> {
  // Most pages that are not in memory are not on disk: handing the question to a thread takes longer than the call.
  const file = existsSync(path) ? await readFile(path).catch(() => undefined) : undefined
  const [, checksum, length] = FIRST_LINE.exec(file?.toString('latin1', 0, FIRST_LINE_LENGTH) ?? '') ?? []
  if (!file || hash('sha256', file.subarray(FIRST_LINE_LENGTH), 'base64url') !== checksum) return undefined
  const end = FIRST_LINE_LENGTH + Number(length)
  const record = await parseRecord(file.toString('utf8', FIRST_LINE_LENGTH, end), momentOf)
  return record?.key === key ? createPage(record, readBodies(file, end, record.sizes)) : undefined
}

/** Reads only the record of a file, without verifying bodies; for lists, not for responses. */
export async function readRecord(
  path: string,
  momentOf: FindMoment,
): Promise<{ record: PageRecord; bytes: number; writtenAt: number } | undefined> {
  const handle = await open(path, 'r').catch(() => undefined)
  if (!handle) return undefined
  try {
    const start = Buffer.alloc(RECORD_READ)
    const { bytesRead } = await handle.read(start, 0, RECORD_READ, 0)
    const length = Number(FIRST_LINE.exec(start.toString('latin1', 0, FIRST_LINE_LENGTH))?.[2] ?? 0)
    const end = FIRST_LINE_LENGTH + length
    const text = end <= bytesRead ? start : Buffer.alloc(end)
    if (end > bytesRead) await handle.read(text, 0, end, 0)
    const record = await parseRecord(text.toString('utf8', FIRST_LINE_LENGTH, end), momentOf)
    const { size: bytes, mtimeMs: writtenAt } = await handle.stat()
    return record && { record, bytes, writtenAt }
  } finally {
    await handle.close()
  }
}

async function parseRecord(text: string, momentOf: FindMoment): Promise<PageRecord | undefined> {
  const { data } = recordSchema.safeParse(parseJson(text))
  if (!data) return undefined
  const { writer, position, ...record } = data
  const moment = await momentOf({ writer, position, moment: record.moment })
  return moment === undefined ? undefined : { ...record, moment }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readBodies(file: Buffer, start: number, sizes: PageRecord['sizes']): Bodies {
  let at = start
  const next = (length: number) => {
    const body = trimmed(file.subarray(at, at + length))
    at += length
    return body
  }
  const bodies: { -readonly [Name in keyof Bodies]: Bodies[Name] } = { identity: next(sizes.identity ?? 0) }
  for (const encoding of ORDER.slice(1)) {
    const length = sizes[encoding]
    if (length !== undefined) bodies[encoding] = next(length)
  }
  return bodies
}

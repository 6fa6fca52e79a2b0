import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import { exportFileName, openWxrExport, type WxrExport, writeWxr } from '../cms/content/export/index.ts'
import type { ExportFilter } from '../cms/content/export/types.ts'
import { pluralize } from '../cms/text/pluralize.ts'
import { writeAtomically } from '../core/files/atomic-write.ts'
import { findUser } from './find-user.ts'
import { createProgress } from './progress.ts'
import { withHost } from './with-host.ts'

const MEGABYTE = 1024 * 1024
/** Of `--filename_format`. */
const FILE_NAME = '{site}.WordPress.{date}.{n}.xml'

interface ExportOptions {
  readonly dir: string
  readonly post_type?: string
  readonly post_status?: string
  readonly author?: string
  readonly category?: string
  readonly start_date?: string
  readonly end_date?: string
  readonly skip_comments?: boolean
  readonly max_file_size?: string
  readonly filename_format?: string
}

/** `pentad export`, with the options of WP-CLI's `wp export`. */
export function exportCommand(): Command {
  return new Command('export')
    .argument('[file]', 'output file; "-" for standard output; default: a file named after the site')
    .option('--dir <dir>', 'output folder', '.')
    .option('--post_type <types>', 'only these post types, comma-separated')
    .option('--status, --post_status <statuses>', 'only these statuses, comma-separated')
    .option('--author <user>', 'only content by this author: ID or login')
    .option('--category <slug>', 'only posts in this category')
    .option('--start_date <date>', 'only posts published on or after this date, such as 2026-01-31')
    .option('--end_date <date>', 'only posts published on or before this date')
    .option('--skip_comments', 'exclude comments')
    .option('--max_file_size <megabytes>', 'start a new file after this many megabytes')
    .option('--filename_format <format>', `file name pattern, with {site}, {date}, and {n}; default: ${FILE_NAME}`)
    .description('export the content as a WordPress export file (WXR) for WordPress or Pentad')
    .action(runExport)
}

async function runExport(file: string | undefined, given: ExportOptions): Promise<void> {
  const isOutput = file === '-'
  const most = given.max_file_size === undefined ? undefined : readMegabytes(given.max_file_size)
  if (file !== undefined && (most !== undefined || given.filename_format !== undefined))
    throw new Error('Use either a file name, or --max_file_size and --filename_format.')
  await withHost(
    async (host) => {
      const wxr = await openWxrExport({ ...host, users: host.auth.users }, await filterOf(host, given))
      const progress = createProgress()
      const onItem = (count: number) => progress.update(`${count} of ${wxr.total} items`, count, wxr.total)
      try {
        if (isOutput) {
          await pipeline(Readable.from(writeWxr(wxr, onItem)), process.stdout, { end: false })
          return
        }
        mkdirSync(file === undefined ? given.dir : dirname(resolve(given.dir, file)), { recursive: true })
        const names = fileNames(host, given, most !== undefined)
        const written =
          most === undefined
            ? [await writeFile(resolve(given.dir, file ?? names(0)), writeWxr(wxr, onItem))]
            : await writeFiles(wxr, { most, path: (index) => join(given.dir, names(index)), onItem })
        progress.end()
        console.log(`Exported ${pluralize(wxr.total, 'item')} to ${written.join(', ')}.`)
      } finally {
        progress.end()
      }
    },
    // The log would be a part of the file.
    isOutput ? { logLevel: 'silent' } : {},
  )
}

/** A file that is not complete has another name. */
async function writeFile(path: string, text: AsyncIterable<string>): Promise<string> {
  await writeAtomically(path, (part) => pipeline(Readable.from(text), createWriteStream(part)), { mode: 0o644 })
  return path
}

/** Each file is a separate export with all authors and terms, so that it can be imported individually. */
async function writeFiles(
  wxr: WxrExport,
  { most, path, onItem }: { most: number; path(index: number): string; onItem(count: number): void },
): Promise<string[]> {
  const written: string[] = []
  const items = wxr.items()
  let next = await items.next()
  let count = 0
  do {
    async function* one() {
      let bytes = 0
      for await (const text of wxr.opening()) {
        bytes += Buffer.byteLength(text)
        yield text
      }
      for (let isFirst = true; !next.done && (isFirst || bytes < most); isFirst = false, next = await items.next()) {
        onItem(++count)
        for await (const text of next.value) {
          bytes += Buffer.byteLength(text)
          yield text
        }
      }
      yield wxr.closing
    }
    written.push(await writeFile(path(written.length), one()))
  } while (!next.done)
  return written
}

function fileNames({ content }: Site, { filename_format: format }: ExportOptions, isSplit: boolean) {
  const plain = exportFileName(content.siteSettings().title)
  if (format === undefined && !isSplit) return () => plain
  const [, site = '', date = ''] = /^(?:(.*)\.)?WordPress\.(.*)\.xml$/.exec(plain) ?? []
  return (index: number) => {
    const name = (format ?? FILE_NAME)
      .replaceAll('{site}', site)
      .replaceAll('{date}', date)
      .replaceAll('{n}', String(index).padStart(3, '0'))
    if (index > 0 && !(format ?? FILE_NAME).includes('{n}'))
      throw new Error('The export needs several files: add {n} to --filename_format.')
    return name
  }
}

async function filterOf(host: Site, given: ExportOptions): Promise<ExportFilter> {
  const { start_date: startDate, end_date: endDate } = given
  const types = split(given.post_type)
  const known = host.content.postTypes()
  const unknown = types?.find((type) => !known.has(type))
  if (unknown !== undefined)
    throw new Error(`There is no post type "${unknown}". Post types: ${[...known.keys()].join(', ')}`)
  if (startDate !== undefined && endDate !== undefined && readDay(startDate) > readDay(endDate))
    throw new Error(`The start date ${startDate} is after the end date ${endDate}.`)
  return {
    types,
    statuses: split(given.post_status),
    author: given.author === undefined ? undefined : (await findUser(host, given.author)).id,
    category: given.category === undefined ? undefined : await categoryId(host, given.category),
    startDate: startDate === undefined ? undefined : readDay(startDate),
    endDate: endDate === undefined ? undefined : readDay(endDate),
    comments: !given.skip_comments,
  }
}

async function categoryId({ content }: Site, slug: string): Promise<number> {
  const category = await content.terms.getBySlug('category', slug)
  if (!category) throw new Error(`There is no category "${slug}".`)
  return category.id
}

function split(list: string | undefined): string[] | undefined {
  return list?.split(',').map((name) => name.trim())
}

function readDay(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  if (/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)) return day
  throw new Error(`"${day}" is not a date such as 2026-01-31.`)
}

function readMegabytes(given: string): number {
  const size = Number(given)
  if (size > 0 && Number.isFinite(size)) return size * MEGABYTE
  throw new Error(`"${given}" is not a number of megabytes.`)
}

import { setTimeout } from 'node:timers/promises'
import type { Users } from '../../auth/types.ts'
import type { Database } from '../../database/index.ts'
import { writeRepeatably } from '../../database/repeatable-writes.ts'
import type { Hooks } from '../../hooks/types.ts'
import { createLeases } from '../../jobs/leases.ts'
import type { Logger } from '../../log.ts'
import type { Options } from '../../options/types.ts'
import { createAddresses } from '../addresses.ts'
import { noteSiteUrl } from '../site-urls.ts'
import type { Content } from '../types.ts'
import { countFiles, importFiles } from './attachment-files.ts'
import { createAuthors } from './authors.ts'
import type { DownloadOptions } from './download.ts'
import { type ExportFile, openExport } from './export-files.ts'
import { createPostImport } from './import-posts.ts'
import { createReferences } from './import-references.ts'
import { createTermImport } from './import-terms.ts'
import { openJournal } from './journal.ts'
import { withMedia } from './media-addresses.ts'
import type { MediaMap } from './media-map.ts'
import { type AddressScan, createAddressScan, createOldAddresses } from './old-addresses.ts'
import { readExports } from './read-elements.ts'
import { createReport, type ImportReport } from './report.ts'
import { scanMedia } from './scan.ts'
import { ensureDefaultCategory, takeOver } from './take-over.ts'
import { createWantedFiles, type WantedFiles } from './wanted-files.ts'
import { readRecord, readSite, type WxrSite } from './wxr.ts'
import { COMPLETE, WxrError } from './wxr-error.ts'

export { describeImport, type ImportReport, type Tally } from './report.ts'
export { WxrError } from './wxr-error.ts'

/** How far an import is. */
export interface ImportProgress {
  readonly phase: 'scan' | 'read' | 'files'
  /** 0 to 100, of the whole import; never goes back. */
  readonly percent: number
  readonly message: string
}

/** Where each phase begins and ends, in percent. */
const PHASES: Readonly<Record<ImportProgress['phase'], readonly [from: number, to: number]>> = {
  scan: [0, 10],
  read: [10, 80],
  files: [80, 100],
}

export interface ImportParts {
  /** A WordPress export (WXR 1.0 to 1.2), also in gzip or zip; or the files of one that was split. */
  readonly files: readonly string[]
  /** `wp-content/uploads` of the old site, or the folder it lies in. */
  readonly uploadsDir?: string | undefined
  /** Set to fetch the media that are not in that folder from where they were on the web. */
  readonly download?: DownloadOptions | undefined
  /** Change nothing, and report what would be added, copied and missing. Default: no. */
  readonly dryRun?: boolean | undefined
  readonly content: Content
  readonly users: Users
  readonly options: Options
  readonly database: Database
  readonly hooks: Pick<Hooks, 'doActionAsync'>
  readonly config: { readonly siteDir: string; readonly url: string }
  readonly log: Logger
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Stops the import; the next one completes it. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds until another import may take over from one that was killed. */
const LEASE = 2000
/** Milliseconds between looks whether another import has ended. */
const LOOK_AGAIN = 250

/**
 * Moves a WordPress site here. Imports into one site run one after the other, also of several processes: two at once
 * would each add what the other has not written yet. The file is read as a stream, one post at a time. Importing the same file again adds
 * nothing and changes nothing, and finishes an import that was killed.
 * @throws WxrError if the file can't be read to its end; its `report` tells what was imported before
 */
export async function importWxr(parts: ImportParts): Promise<ImportReport> {
  for (;;) {
    const held = await holdImport(parts, (signal) => importAlone(parts, signal))
    if (held) return held.result
    parts.onProgress?.({ phase: 'scan', percent: 0, message: 'waiting for another import to end' })
    await setTimeout(LOOK_AGAIN)
  }
}

/** Does the work as the only import into this site; `undefined` if another one is in progress. */
export function holdImport<Result>(
  { database, log }: Pick<ImportParts, 'database' | 'log'>,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  return createLeases(database.db, log).hold('import', { ttl: LEASE }, ({ signal }) => work(signal))
}

/** `importWxr` for the holder of the lease. @param lost - Fires when the lease is lost. */
export async function importAlone(parts: ImportParts, lost: AbortSignal): Promise<ImportReport> {
  const { hooks, dryRun = false, signal } = parts
  if (!dryRun) await hooks.doActionAsync('import_start')
  try {
    // After a power cut the import goes on, and finds what is missing.
    return await writeRepeatably(() => importAll(parts, signal ? AbortSignal.any([signal, lost]) : lost))
  } finally {
    if (!dryRun) await hooks.doActionAsync('import_end')
  }
}

async function importAll(parts: ImportParts, lost: AbortSignal): Promise<ImportReport> {
  const { uploadsDir, content, database, config, log } = parts
  let percent = 0
  function at(phase: ImportProgress['phase'], done: number, total: number, message: string): void {
    const [from, to] = PHASES[phase]
    percent = Math.max(percent, Math.floor(from + (total > 0 ? Math.min(1, done / total) : 0) * (to - from)))
    parts.onProgress?.({ phase, percent, message })
  }
  const dryRun = parts.dryRun ?? false
  const report = createReport(dryRun)
  const exports = await openAll(parts.files)
  const size = exports.reduce((sum, each) => sum + each.size, 0)
  const files = createWantedFiles()
  const scan = createAddressScan()
  let items = 0
  const onScanned = (bytes: number) => at('scan', bytes, size, `reading media and addresses of ${items} items`)
  const writers = new Set<string>()
  await using open = new AsyncDisposableStack()
  const media = await scanMedia(exports, lost, onScanned, (item) => {
    items++
    writers.add(item.author)
    scan.note(item)
  })
  let begun: Awaited<ReturnType<typeof begin>> | undefined
  let broken: WxrError | undefined

  try {
    let head = new Map<string, string>()
    let current: ExportFile | undefined
    let isChecked = false
    let done = 0
    for await (const { file, element } of readExports(exports, lost)) {
      lost.throwIfAborted()
      if (file !== current) {
        current = file
        head = new Map()
        isChecked = false
      }
      const record = readRecord(element)
      if (record?.kind === 'head' && !isChecked) head.set(record.name, record.text)
      if (record === undefined || record.kind === 'head') continue
      if (!isChecked) {
        const site = siteOf(head, element.line, file)
        begun ??= await begin(parts, site, { report, media, files, scan, writers, open })
        if (site.urls[0] !== begun.site.urls[0])
          throw inFile(
            new WxrError(`is of another site, ${site.urls[0]}`, element.line, 'Import this file on its own'),
            file,
          )
        isChecked = true
      }
      if (record.kind === 'author') await begun?.authors.add(record.author)
      else if (record.kind === 'term') await begun?.terms.add(record.term)
      else {
        await begun?.posts.add(record.item)
        done++
      }
      at('read', done, items, summary(report))
    }
    begun ??= await begin(parts, siteOf(head, 0, current ?? exports[0]), { report, media, files, scan, writers, open })
  } catch (error) {
    if (!(error instanceof WxrError)) throw error
    broken = error
  }

  if (begun) {
    if (!dryRun) {
      await begun.terms.finish(broken === undefined)
      await begun.posts.finish(broken === undefined)
      await ensureDefaultCategory({ content })
      await begun.old.finish()
    }
    const attachmentIds = begun.posts.attachments()
    await (dryRun ? countFiles : importFiles)({
      ...{ content, database, attachmentIds, files, uploadsDir, report, journal: begun.journal },
      siteDir: config.siteDir,
      ...{ download: parts.download, signal: lost },
      onProgress: (done, total, message) => at('files', done, total, message),
    })
    await begun.journal.conclude(broken === undefined)
  }
  if (broken) throw explain(broken, begun && report)
  log.info(
    { source: report.source.url, posts: report.posts },
    dryRun ? 'WordPress export read' : 'WordPress export imported',
  )
  at('files', 1, 1, summary(report))
  return report
}

/** All files that the paths name, of one export. @throws WxrError */
async function openAll(paths: readonly string[]): Promise<ExportFile[]> {
  const opened: ExportFile[] = []
  for (const path of paths) {
    try {
      const files = await openExport(path)
      if (files.every(({ size }) => size === 0)) throw new WxrError('is empty', 0)
      opened.push(...files)
    } catch (error) {
      throw error instanceof WxrError ? explain(inFile(error, { name: path }), undefined) : error
    }
  }
  return opened
}

function siteOf(head: ReadonlyMap<string, string>, line: number, file: ExportFile | undefined): WxrSite {
  const site = readSite(head)
  if (!site) throw inFile(new WxrError('is not a WordPress export (WXR): <wp:wxr_version> is missing', line), file)
  return site
}

function inFile(error: WxrError, file: Pick<ExportFile, 'name'> | undefined): WxrError {
  error.file ||= file?.name ?? ''
  return error
}

/** Everything that needs to know where the export comes from. */
async function begin(
  parts: ImportParts,
  site: WxrSite,
  {
    report,
    media,
    files,
    scan,
    writers,
    open,
  }: {
    report: ImportReport
    media: MediaMap
    files: WantedFiles
    scan: AddressScan
    writers: ReadonlySet<string>
    /** What is closed with the import. */
    open: AsyncDisposableStack
  },
) {
  const { content, database, options, users, config } = parts
  const [source = ''] = site.urls
  report.source = { title: site.title, url: source, version: site.version }
  const { dryRun } = report
  if (!dryRun) await noteSiteUrl(options, config.url)
  const journal = open.use(await openJournal(config.siteDir, source, dryRun))
  const old = createOldAddresses({ content, database, options, scan, urls: site.urls, journal, dryRun, report })
  const { isNewSite, removedCategory } = await takeOver(site, { ...parts, journal, dryRun, report })
  await old.begin(isNewSite)
  const plainAddresses = createAddresses([...site.urls, ...scan.bases(site.urls)], config.url)
  const addresses = withMedia(plainAddresses, media, {
    siteUrl: config.url,
    onFile: ({ file, source }) => files.want(file, source),
  })
  const authors = createAuthors(users, { report, journal, dryRun, isWriter: (login) => writers.has(login) })
  const terms = createTermImport({
    ...{ content, database, addresses, source, journal, dryRun, report, removedCategory },
  })
  const newIds = new Map<number, number>()
  const references = await createReferences({
    ...{ content, database, addresses, media, urls: site.urls, siteUrl: config.url, newIds },
  })
  const given = {
    references,
    newIds,
    content,
    database,
    addresses,
    plainAddresses,
    authors,
    terms,
    source,
    files,
    journal,
    dryRun,
    report,
  }
  return { site, journal, authors, terms, old, posts: createPostImport({ ...given, onPost: old.note }) }
}

function summary({ posts, comments }: ImportReport): string {
  const count = (type: string) => (posts[type]?.added ?? 0) + (posts[type]?.existing ?? 0)
  const others = Object.keys(posts).reduce(
    (sum, type) => sum + (['post', 'page', 'attachment'].includes(type) ? 0 : count(type)),
    0,
  )
  return [
    `${count('post')} posts`,
    `${count('page')} pages`,
    `${count('attachment')} attachments`,
    ...(others > 0 ? [`${others} others`] : []),
    `${comments.added + comments.existing} comments`,
  ].join(', ')
}

/** @param report - What was imported all the same; `undefined` where it did not come to that. */
function explain(broken: WxrError, report: ImportReport | undefined): WxrError {
  const at = broken.line > 0 ? `, line ${broken.line}` : ''
  const isBegun = report && Object.values(report.posts).some(({ added, existing }) => added + existing > 0)
  const before = report?.dryRun
    ? `A dry run changes nothing; an import would stop here, after ${isBegun ? summary(report) : 'nothing'}.`
    : isBegun
      ? `What came before is there (${summary(report)}).`
      : 'Nothing was imported.'
  const next = isBegun || broken.remedy !== COMPLETE ? ` ${broken.remedy}.` : ''
  const error = new WxrError(`${broken.file}${at}: the file ${broken.message}. ${before}${next}`, broken.line)
  error.report = report
  return error
}

import { setTimeout } from 'node:timers/promises'
import { writeRepeatably } from '../../../core/database/repeatable-writes.ts'
import { createLeases } from '../../database/leases.ts'
import { createAddressScan } from './address-scan.ts'
import { countFiles, importFiles } from './attachment-files.ts'
import { beginImport } from './begin.ts'
import { type ExportFile, openExports } from './export-files.ts'
import { ownCopy } from './own-copy.ts'
import { readExports } from './read-elements.ts'
import { createReport, type ImportReport, summarizeImport } from './report.ts'
import { scanMedia } from './scan.ts'
import { ensureDefaultCategory } from './take-over.ts'
import type { ImportParts, ImportProgress } from './types.ts'
import { createWantedFiles } from './wanted-files.ts'
import { readRecord, readSite, type WxrSite } from './wxr.ts'
import { explain, inFile, WxrError } from './wxr-error.ts'

/** Start and end of each phase, in percent. */
const PHASES: Readonly<Record<ImportProgress['phase'], readonly [from: number, to: number]>> = {
  scan: [0, 10],
  read: [10, 80],
  files: [80, 100],
}

/** Milliseconds after which another import may take over from one that was killed. */
const LEASE = 2000
/** Interval of checks whether another import has ended, in ms. */
const LOOK_AGAIN = 250

/**
 * Imports a WordPress site. Imports into one site are serialized, across processes too, because two at once would both add the same
 * content. The file is streamed, one post at a time. Importing the same file again changes nothing, except that it completes an interrupted
 * import.
 * @throws WxrError if the file cannot be read to its end; its `report` contains what was imported
 */
export async function importWxr(parts: ImportParts): Promise<ImportReport> {
  for (;;) {
    const held = await holdImport(parts, (signal) => importAlone(parts, signal))
    if (held) return held.result
    parts.onProgress?.({ phase: 'scan', percent: 0, message: 'waiting for another import to finish' })
    await setTimeout(LOOK_AGAIN)
  }
}

/** Runs the import exclusively for this site; `undefined` if another one is in progress. */
export function holdImport<Result>(
  { database, log }: Pick<ImportParts, 'database' | 'log'>,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  return createLeases(database, log).hold('import', { ttl: LEASE }, ({ signal }) => work(signal))
}

/** `importWxr` for the holder of the lease. @param lost - Fires when the lease is lost. */
export async function importAlone(parts: ImportParts, lost: AbortSignal): Promise<ImportReport> {
  const { hooks, dryRun = false, signal } = parts
  if (!dryRun) await hooks.doActionAsync('import_start')
  try {
    // After a power failure the import continues and repeats missing writes.
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
  const exports = await openExports(parts.files)
  const size = exports.reduce((sum, each) => sum + each.size, 0)
  const files = createWantedFiles()
  const scan = createAddressScan()
  let items = 0
  const onScanned = (bytes: number) => at('scan', bytes, size, `scanning media and URLs: ${items} items`)
  const writers = new Set<string>()
  await using open = new AsyncDisposableStack()
  const media = await scanMedia(exports, lost, onScanned, (item, urls) => {
    items++
    if (!writers.has(item.author)) writers.add(ownCopy(item.author))
    scan.note(item, urls[0])
  })
  let begun: Awaited<ReturnType<typeof beginImport>> | undefined
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
        begun ??= await beginImport(parts, site, { report, media, files, scan, writers, open })
        if (site.urls[0] !== begun.site.urls[0])
          throw inFile(
            new WxrError(`belongs to another site, ${site.urls[0]}`, element.line, 'Import this file separately'),
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
      at('read', done, items, summarizeImport(report))
    }
    begun ??= await beginImport(parts, siteOf(head, 0, current ?? exports[0]), {
      report,
      media,
      files,
      scan,
      writers,
      open,
    })
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
  at('files', 1, 1, summarizeImport(report))
  return report
}

function siteOf(head: ReadonlyMap<string, string>, line: number, file: ExportFile | undefined): WxrSite {
  const site = readSite(head)
  if (!site) throw inFile(new WxrError('is not a WordPress export (WXR): <wp:wxr_version> is missing', line), file)
  return site
}

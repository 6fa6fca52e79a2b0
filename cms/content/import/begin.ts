import { createAddresses } from '../addresses.ts'
import { noteSiteUrl } from '../site-urls.ts'
import type { AddressScan } from './address-scan.ts'
import { createAuthors } from './authors.ts'
import { createPostImport } from './import-posts.ts'
import { createReferences } from './import-references.ts'
import { createTermImport } from './import-terms.ts'
import { openJournal } from './journal.ts'
import { withMedia } from './media-addresses.ts'
import type { MediaMap } from './media-map.ts'
import { createOldAddresses } from './old-addresses.ts'
import { type ImportReport, note } from './report.ts'
import { takeOver } from './take-over.ts'
import type { ImportParts } from './types.ts'
import type { WantedFiles } from './wanted-files.ts'
import type { WxrSite } from './wxr.ts'

/** Prepares the parts of an import that depend on the origin of the export. */
export async function beginImport(
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
    /** Resources to close with the import. */
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
  for (const base of scan.doubtfulBases(site.urls))
    note(
      report.warnings,
      `Post GUIDs contain the URL ${base}. Links to that URL were not changed. If this site used that URL before, run: pentad search-replace ${base} ${config.url}`,
    )
  const addresses = withMedia(plainAddresses, media, {
    siteUrl: config.url,
    onFile: ({ file, source }) => files.want(file, source),
  })
  const authors = createAuthors(users, {
    ...{ mapping: parts.authors ?? 'create', report, journal, dryRun },
    isWriter: (login) => writers.has(login),
  })
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

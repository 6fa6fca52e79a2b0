import { pluralize } from '../../text/pluralize.ts'

/** Numbers of added and of existing items. */
export interface Tally {
  added: number
  existing: number
}

/** Report of an import. */
export interface ImportReport {
  /** The site that the export comes from. */
  source: { title: string; url: string; version: string }
  /** Whether nothing was changed: the report shows what an import would do. */
  dryRun: boolean
  /** Whether title, tagline and language were imported, because this site still had its defaults. */
  siteTakenOver: boolean
  /** Whether the initial content of this site was removed. */
  firstContentRemoved: boolean
  users: Tally
  terms: Tally
  comments: Tally
  /** By type: `post`, `page`, `attachment`, … */
  posts: Record<string, Tally>
  files: {
    copied: number
    /** There already. */
    kept: number
    /** Downloaded from the old site. */
    downloaded: number
    /** Number of missing image sizes that were generated. */
    resized: number
    /** Not copied, with the reason. */
    refused: { file: string; reason: string }[]
  }
  /** The structure of posts' addresses, if the export's have one: that of the export where none was chosen here. */
  permalinkStructure: string | undefined
  /** Old URLs of published content: unchanged, redirected, or no longer working. */
  addresses: { kept: number; redirected: number; lost: string[] }
  /** Media files of attachments and texts that are not here. */
  missingFiles: string[]
  /** Content that could not be imported unchanged. */
  warnings: string[]
}

/** Maximum length of lists in the report; a final line contains the total number. */
const LIST_LENGTH = 200
const SHOWN = 20
/** Lists every missing file, so that the owner can look for it. */
const MOST_MISSING = 10_000

export function createReport(dryRun: boolean): ImportReport {
  return {
    source: { title: '', url: '', version: '' },
    dryRun,
    siteTakenOver: false,
    firstContentRemoved: false,
    users: { added: 0, existing: 0 },
    terms: { added: 0, existing: 0 },
    comments: { added: 0, existing: 0 },
    posts: {},
    permalinkStructure: undefined,
    addresses: { kept: 0, redirected: 0, lost: [] },
    files: { copied: 0, kept: 0, downloaded: 0, resized: 0, refused: [] },
    missingFiles: [],
    warnings: [],
  }
}

export function tallyOf(report: ImportReport, type: string): Tally {
  if (!Object.hasOwn(report.posts, type)) report.posts[type] = { added: 0, existing: 0 }
  return report.posts[type] ?? { added: 0, existing: 0 }
}

/** Appends to a list of the report, up to a maximum, because a hostile file could make it endless. */
export function note<Item>(list: Item[], item: Item, most = LIST_LENGTH): void {
  if (list.length < most) list.push(item)
}

/** @param why - Why it could not be downloaded. */
export function noteMissing(report: ImportReport, file: string, why?: string): void {
  note(report.missingFiles, why === undefined ? file : `${file}: ${why}`, MOST_MISSING)
}

/** A one-line summary of an import, finished or in progress. */
export function summarizeImport({ posts, comments }: ImportReport): string {
  const count = (type: string) => (posts[type]?.added ?? 0) + (posts[type]?.existing ?? 0)
  const others = Object.keys(posts).reduce(
    (sum, type) => sum + (['post', 'page', 'attachment'].includes(type) ? 0 : count(type)),
    0,
  )
  return [
    pluralize(count('post'), 'post'),
    pluralize(count('page'), 'page'),
    pluralize(count('attachment'), 'attachment'),
    ...(others > 0 ? [pluralize(others, 'other item')] : []),
    pluralize(comments.added + comments.existing, 'comment'),
  ].join(', ')
}

/** The report as text for a terminal. */
export function describeImport(report: ImportReport): string {
  const tally = (name: string, { added, existing }: Tally) =>
    `  ${name.padEnd(14)} ${String(added).padStart(6)} added ${String(existing).padStart(6)} already existed`
  const list = (title: string, items: readonly string[], shown = SHOWN) =>
    items.length === 0
      ? []
      : [
          title,
          ...items.slice(0, shown).map((item) => `  ${item}`),
          ...(items.length > shown
            ? [`  … and ${items.length - shown}${items.length >= LIST_LENGTH ? ' or more' : ''} more`]
            : []),
        ]
  const { addresses, source, files } = report
  return [
    ...(report.dryRun ? ['Dry run: nothing was changed. The import would have this result:'] : []),
    `${source.title || 'The export'}${source.url ? `, ${source.url}` : ''}`,
    tally('users', report.users),
    tally('terms', report.terms),
    ...Object.entries(report.posts).map(([type, numbers]) => tally(type, numbers)),
    tally('comments', report.comments),
    tally('files', { added: files.copied, existing: files.kept }),
    ...(files.downloaded > 0 ? [`Downloaded files: ${files.downloaded}.`] : []),
    ...(files.resized > 0 ? [`Missing image sizes generated: ${files.resized}.`] : []),
    ...(addresses.kept + addresses.redirected > 0
      ? [
          `  ${'URLs'.padEnd(14)} ${String(addresses.kept).padStart(6)} unchanged  ${String(addresses.redirected).padStart(6)} redirected`,
        ]
      : []),
    ...(report.permalinkStructure === undefined
      ? []
      : [`The permalink structure is ${report.permalinkStructure || 'plain, /?p=7'}.`]),
    ...(report.dryRun
      ? ['The report of the actual import also lists which URLs are unchanged, are redirected, or no longer work.']
      : []),
    ...(report.siteTakenOver ? ['The title and tagline of the old site were imported.'] : []),
    ...(report.firstContentRemoved ? ['The sample content of this site was removed.'] : []),
    ...list(
      'Missing media files (use --uploads to specify their folder, or --download to download them):',
      report.missingFiles,
      MOST_MISSING,
    ),
    ...list(
      'URLs that no longer work, because other content uses them or no extension registers their post type:',
      report.addresses.lost,
    ),
    ...list(
      'Files that were not copied:',
      files.refused.map(({ file, reason }) => `${file}: ${reason}`),
    ),
    ...list('Warnings:', report.warnings),
  ].join('\n')
}

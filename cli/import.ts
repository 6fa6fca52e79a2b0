import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import { describeImport, importWxr, partsOfSite, WxrError } from '../cms/content/import/index.ts'
import { unpackUploads } from '../cms/content/import/unpack-uploads.ts'
import { readAuthorMapping } from './import-authors.ts'
import { createProgress } from './progress.ts'
import { hasSite } from './require-site.ts'
import { withHost } from './with-host.ts'

/** `pentad import`: imports a WordPress export into the site, which is created if it does not exist. */
export function importCommand(): Command {
  return new Command('import')
    .argument(
      '<files...>',
      'WordPress export file (Tools → Export → All content), optionally compressed with gzip or zip; if the export was split, all of its files',
    )
    .option('--uploads <path>', 'the wp-content/uploads folder of the old site, or an archive of it (zip, tar, tar.gz)')
    .option('--download', 'download missing media files from the old site')
    .option(
      '--authors <how>',
      'authors of the imported posts: "create" matches existing users and creates missing ones, "skip" assigns all posts to the ' +
        'first administrator; or a CSV file (old_user_login,new_user_login), which is created if it does not exist',
      'create',
    )
    .option('--dry-run', 'report what would be imported, without making changes')
    .description('import a WordPress site; importing the same file again adds no duplicates')
    .action(runImport)
}

interface ImportOptions {
  readonly uploads?: string
  readonly download?: boolean
  readonly authors: string
  readonly dryRun?: boolean
}

async function runImport(
  files: readonly string[],
  { uploads, download, authors, dryRun = false }: ImportOptions,
): Promise<void> {
  for (const file of files)
    if (!(existsSync(file) && statSync(file).isFile())) throw new Error(`There is no file ${file}.`)
  if (uploads && !existsSync(uploads)) throw new Error(`There is no folder or archive ${uploads}.`)
  const progress = createProgress()
  const work = async (host: Site) => {
    const mapping = await readAuthorMapping(authors, files, host)
    const isArchive = uploads !== undefined && statSync(uploads).isFile()
    const unpacked = isArchive ? join(host.config.siteDir, 'tmp', `import-media-${randomUUID()}`) : undefined
    try {
      if (isArchive && unpacked !== undefined) await unpack(uploads, unpacked, progress)
      const report = await importWxr({
        files,
        uploadsDir: unpacked ?? uploads,
        download: download ? {} : undefined,
        authors: mapping,
        dryRun,
        ...partsOfSite(host),
        onProgress: ({ message, percent }) => progress.update(message, percent, 100),
      })
      progress.end()
      console.log(describeImport(report))
    } catch (error) {
      progress.end()
      if (error instanceof WxrError && error.report) console.log(describeImport(error.report))
      throw error
    } finally {
      if (unpacked !== undefined) await rm(unpacked, { recursive: true, force: true })
    }
  }
  if (!dryRun || hasSite()) return withHost(work, { makesSite: !dryRun })
  // An import creates the site; a dry run uses a temporary one.
  const siteDir = await mkdtemp(join(tmpdir(), 'pentad-dry-run-'))
  try {
    await withHost(work, { makesSite: true, siteDir })
  } finally {
    await rm(siteDir, { recursive: true, force: true })
  }
}

/** Names the files that it left out. */
async function unpack(archive: string, folder: string, progress: ReturnType<typeof createProgress>): Promise<void> {
  try {
    const onProgress = (files: number) => progress.update(`${files} media files extracted`, 0, 0)
    const refused = await unpackUploads(archive, folder, { signal: new AbortController().signal, onProgress })
    for (const { file, reason } of refused) console.error(`warning: ${file} was skipped: ${reason}`)
  } catch (error) {
    if (!(error instanceof WxrError)) throw error
    throw new Error(`${archive}: the archive ${error.message}. Nothing was imported.`)
  }
}

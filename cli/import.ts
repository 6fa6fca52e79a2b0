import { existsSync, statSync } from 'node:fs'
import { Command } from 'commander'
import { describeImport, importWxr, WxrError } from '../core/content/import/index.ts'
import type { Host } from '../core/host.ts'
import { createProgress } from './progress.ts'
import { withHost } from './with-host.ts'

/** `pentad import`: moves a WordPress export into the site, and makes the site where there is none. */
export function importCommand(): Command {
  return new Command('import')
    .argument(
      '<files...>',
      'WordPress export, from Tools → Export → All content, also in gzip or zip; all files if it was split',
    )
    .option('--uploads <dir>', 'the wp-content/uploads folder of the old site')
    .option('--download', 'fetch the media that are not in that folder from the old site')
    .option('--dry-run', 'change nothing, and report what would be imported')
    .description('move a WordPress site here; importing the same file twice adds nothing')
    .action(runImport)
}

interface ImportOptions {
  readonly uploads?: string
  readonly download?: boolean
  readonly dryRun?: boolean
}

async function runImport(
  files: readonly string[],
  { uploads, download, dryRun = false }: ImportOptions,
): Promise<void> {
  for (const file of files)
    if (!(existsSync(file) && statSync(file).isFile())) throw new Error(`There is no file ${file}.`)
  if (uploads && !(existsSync(uploads) && statSync(uploads).isDirectory())) {
    throw new Error(`There is no folder ${uploads}.`)
  }
  const progress = createProgress()
  const work = async (host: Host) => {
    if (!dryRun) await host.hooks.doActionAsync('import_start')
    try {
      const report = await importWxr({
        files,
        uploadsDir: uploads,
        download: download ? {} : undefined,
        dryRun,
        content: host.content,
        users: host.auth.users,
        options: host.options,
        database: host.database,
        config: host.config,
        log: host.log,
        onProgress: ({ message, done, total }) => progress.update(message, done, total),
      })
      progress.end()
      console.log(describeImport(report))
    } catch (error) {
      progress.end()
      if (error instanceof WxrError && error.report) console.log(describeImport(error.report))
      throw error
    } finally {
      if (!dryRun) await host.hooks.doActionAsync('import_end')
    }
  }
  await withHost(work, { makesSite: !dryRun })
}

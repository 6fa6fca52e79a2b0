import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import { RestError } from '../core/errors.ts'
import { createProgress } from './progress.ts'
import { readAll } from './read-all.ts'
import { readId } from './read-id.ts'
import { withHost } from './with-host.ts'

/** `pentad media …`, as WP-CLI's `wp media`. */
export function mediaCommand(): Command {
  const media = new Command('media').description('manage the media library')
  media
    .command('regenerate')
    .argument('[ids...]', 'attachments; default: all images')
    .option('--yes', 'accepted for compatibility with WP-CLI; there is no confirmation')
    .description('regenerate image sizes, for example after a theme or an extension changes them')
    .action(regenerate)
  return media
}

async function regenerate(given: readonly string[]): Promise<void> {
  await withHost(async (host) => {
    const ids = given.length > 0 ? given.map(readId) : await imageIds(host)
    const failed: string[] = []
    const shown = createProgress()
    try {
      for (const [at, id] of ids.entries()) {
        shown.update(`Attachment ${id}`, at, ids.length)
        try {
          await host.content.media.regenerate(id)
        } catch (error) {
          if (!(error instanceof RestError)) throw error
          failed.push(`${id}: ${error.message}`)
        }
      }
    } finally {
      shown.end()
    }
    for (const line of failed) console.error(`warning: ${line}`)
    console.log(`Regenerated ${ids.length - failed.length} of ${ids.length} images.`)
    if (failed.length > 0) throw new Error(`${failed.length} of ${ids.length} images could not be regenerated.`)
  })
}

async function imageIds({ content }: Site): Promise<number[]> {
  const query = {
    types: ['attachment'],
    statuses: ['inherit', 'private', 'publish'],
    mimeTypes: ['image'],
    orderBy: 'id',
    order: 'asc',
    noFoundRows: true,
  } as const
  const images = await readAll((page) => content.posts.query({ ...query, ...page }))
  return images.map(({ id }) => id)
}

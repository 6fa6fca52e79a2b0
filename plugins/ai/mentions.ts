import type { ExtensionHost, User } from 'pentad'
import { z } from 'zod'
import { cutText } from './cut-text.ts'
import type { Fence } from './fence.ts'

const MOST_MENTIONED = 10
/** Maximum length of a mentioned post that is sent to the model. */
const LONGEST = 40_000

/** IDs of posts mentioned in a message or brief. */
export const mentions = z
  .array(z.object({ id: z.int().min(1).max(2_147_483_647) }))
  .max(MOST_MENTIONED)
  .default([])
  .transform((posts) => [...new Set(posts.map(({ id }) => id))])
  .describe('IDs of mentioned posts. Requires permission to read them.')

/**
 * The mentioned posts as fenced text. @throws RestError of the ability `content/read-post` if the user cannot read one
 */
export async function readMentions(
  { abilities }: Pick<ExtensionHost, 'abilities'>,
  ids: readonly number[],
  { user, fence }: { user: User | null; fence: Fence },
): Promise<string[]> {
  return Promise.all(
    ids.map(async (id) => {
      const post = cutText(JSON.stringify(await abilities.run('content/read-post', { id }, user)), LONGEST)
      return `Post ${id}, which I mention:\n${fence.wrap('content/read-post', post)}`
    }),
  )
}

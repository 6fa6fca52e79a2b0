import { defineExtension, RestError } from 'pentad'
import { z } from 'zod'

export default defineExtension({
  id: 'reading-time',
  name: 'Reading time',
  version: '1.0.0',
  description: 'Shows the reading time above each post.',
  isolation: 'optional',
  permissions: {
    hooks: ['the_content'],
    routes: ['public'],
    content: { read: 'all', types: ['post'] },
    users: true,
    settings: true,
  },
  setup({ hooks, rest, settings, content }) {
    const options = settings.register(z.object({ wordsPerMinute: z.int().min(50).max(1000).default(220) }))
    const minutes = (text: string) =>
      Math.max(1, Math.round((text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) / options.get().wordsPerMinute))
    hooks.addFilter('the_content', (html, post) =>
      post.type === 'post' ? `<p class="reading-time">${minutes(post.content)} min read</p>\n${html}` : html,
    )
    rest.registerRoute('reading-time/v1', {
      method: 'GET',
      path: '/posts/{id}',
      access: 'public',
      input: z.object({ id: z.int() }),
      response: z.object({ minutes: z.int() }),
      handler: async ({ input, user }) => {
        const post = await content.posts.get(input.id)
        if (post && (await content.canRead(post, user))) return { minutes: minutes(post.content) }
        throw new RestError('post_not_found', 'The post does not exist.', { status: 404 })
      },
    })
  },
})

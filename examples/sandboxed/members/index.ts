import { defineExtension } from 'pentad/sandbox'
import { z } from 'zod'

/** Shows some posts, and parts of all posts, to logged-in users only. */
export default defineExtension({
  id: 'sandboxed-members',
  name: 'Members',
  version: '1.0.0',
  description: 'Shows some posts, and parts of posts, to logged-in users only.',
  isolation: 'sandbox',
  permissions: { hooks: ['the_content', 'read_post_caps'], settings: true, users: true },
  setup({ hooks, settings, isUserLoggedIn }) {
    const chosen = settings.register(
      z.object({
        posts: z.array(z.int()).default([]).meta({ title: 'Posts', description: 'IDs of posts for members only.' }),
      }),
    )
    hooks.addFilter(
      'read_post_caps',
      (caps, postId, userId) =>
        userId === 0 && chosen.get().posts.includes(postId) ? [...caps, 'do_not_allow'] : caps,
      { onError: 'closed' },
    )
    const part = /\[members\]([\s\S]*?)\[\/members\]/g
    hooks.addFilter(
      'the_content',
      (html) => {
        // Reading the user makes a page uncacheable, so only where it matters.
        if (!html.includes('[members]')) return html
        const isMember = isUserLoggedIn()
        return html.replace(part, (_, hidden: string) => (isMember ? hidden : ''))
      },
      { onError: 'closed' },
    )
  },
})

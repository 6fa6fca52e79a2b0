import { defineExtension } from 'pentad'

declare module 'pentad' {
  interface Capabilities {
    read_members: true
  }
}

/**
 * A members extension as an author would write it: one filter closes the posts that have the meta `members_only` to
 * all who lack the capability `read_members`.
 */
export default defineExtension({
  id: 'members-only',
  name: 'Members only',
  version: '1.0.0',
  setup({ auth, content, hooks }) {
    auth.addRole('member', 'Member', ['read', 'read_members'])
    hooks.addFilter('read_post_caps', async (caps, postId) =>
      (await content.meta.get('post', postId, 'members_only')) === true ? [...caps, 'read_members'] : caps,
    )
  },
})

import { defineExtension } from 'pentad'

/** Hides what stands between `[members]` and `[/members]` from visitors, as an author would write it. */
export default defineExtension({
  id: 'hidden-words',
  name: 'Hidden words',
  version: '1.0.0',
  setup({ hooks, isUserLoggedIn }) {
    const part = /\[members\]([\s\S]*?)\[\/members\]/g
    hooks.addFilter('the_content', (html) =>
      html.replace(part, (_, hidden: string) => (isUserLoggedIn() ? hidden : '')),
    )
  },
})

import { defineExtension } from 'pentad'

/** Hides what stands between `[members]` and `[/members]` from everybody. */
export default defineExtension({
  id: 'hiding-shortcode',
  name: 'Hiding shortcode',
  version: '1.0.0',
  setup({ content }) {
    content.addShortcode('members', () => 'For members only.')
  },
})

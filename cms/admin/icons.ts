/** Icons for pages of extensions in the navigation. */
export const ADMIN_ICONS = [
  ...(['puzzle', 'bell', 'book', 'box', 'calendar', 'cart', 'chart', 'heart', 'mail'] as const),
  ...(['map', 'message', 'photo', 'star', 'tag', 'ticket', 'tool', 'users'] as const),
] as const

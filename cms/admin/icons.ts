/** Icons that a page of an extension can have in the navigation; the client draws them. */
export const ADMIN_ICONS = [
  ...(['puzzle', 'bell', 'book', 'box', 'calendar', 'cart', 'chart', 'heart', 'mail'] as const),
  ...(['map', 'message', 'photo', 'star', 'tag', 'ticket', 'tool', 'users'] as const),
] as const

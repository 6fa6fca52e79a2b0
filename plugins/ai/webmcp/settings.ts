import { toggle } from 'pentad'

export const webMcpSettings = {
  webMcpTools: toggle(
    'off',
    'Browser tools',
    'Lets AI agents in browsers search and read public content, and use the store’s cart (WebMCP).',
    'agents',
  ),
}

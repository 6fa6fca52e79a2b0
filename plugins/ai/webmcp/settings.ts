import { toggle } from 'pentad'

export const webMcpSettings = {
  webMcpTools: toggle(
    'off',
    'Tools for browser agents',
    'Agents in browsers may search and read what is public, and use the cart of a store (WebMCP).',
    'agents',
  ),
}

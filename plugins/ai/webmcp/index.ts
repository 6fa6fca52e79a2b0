import type { ExtensionHost, Scripts } from 'pentad'
import type { AiSettings } from '../settings.ts'
import { contentTools } from './content-tools.ts'
import { printToolScript } from './page-script.ts'
import { storeTools } from './store-tools.ts'
import { toolRoutes } from './tools-route.ts'

/**
 * Tools for agents in browsers (WebMCP): routes that exist while the setting is on, and a script that registers them
 * with the browser. Agents act as a visitor, even if a user is signed in.
 */
export function registerWebMcp(
  host: ExtensionHost,
  { settings, scripts }: { settings: () => AiSettings; scripts: Scripts },
): void {
  const isOn = () => settings().webMcpTools === 'on'
  const tools = [...contentTools(host), ...storeTools(host)]
  for (const { route } of tools)
    host.rest.registerRoute('ai/v1', { ...route, when: () => isOn() && (route.when?.() ?? true) })
  for (const route of Object.values(toolRoutes(host, { tools, isOn }))) host.rest.registerRoute('ai/v1', route)
  printToolScript(host, { isOn, scripts })
}

/** An AI assistant that refers visitors, with its hosts. */
interface Assistant {
  readonly name: string
  /** The host and its subdomains; with a path only URLs below it. */
  readonly hosts: readonly string[]
  /** App IDs, as in `android-app://com.openai.chatgpt`. */
  readonly apps?: readonly string[]
}

const ASSISTANTS: readonly Assistant[] = [
  { name: 'ChatGPT', hosts: ['chatgpt.com', 'chat.openai.com'], apps: ['com.openai.chatgpt'] },
  { name: 'Perplexity', hosts: ['perplexity.ai', 'perplexity.com'], apps: ['ai.perplexity.app.android'] },
  {
    name: 'Gemini',
    hosts: ['gemini.google.com', 'bard.google.com', 'notebooklm.google.com'],
    apps: ['com.google.android.apps.bard'],
  },
  {
    name: 'Copilot',
    hosts: ['copilot.microsoft.com', 'copilot.cloud.microsoft', 'edgeservices.bing.com', 'bing.com/chat'],
    apps: ['com.microsoft.copilot'],
  },
  { name: 'Claude', hosts: ['claude.ai', 'claude.com'], apps: ['com.anthropic.claude'] },
  { name: 'Grok', hosts: ['grok.com', 'x.ai'], apps: ['ai.x.grok'] },
  { name: 'Meta AI', hosts: ['meta.ai'] },
  { name: 'DeepSeek', hosts: ['chat.deepseek.com'], apps: ['com.deepseek.chat'] },
  { name: 'Mistral', hosts: ['chat.mistral.ai'], apps: ['ai.mistral.chat'] },
  { name: 'Duck.ai', hosts: ['duck.ai'] },
  { name: 'Kagi Assistant', hosts: ['kagi.com/assistant', 'assistant.kagi.com'] },
  { name: 'You.com', hosts: ['you.com'] },
  { name: 'Poe', hosts: ['poe.com'] },
  { name: 'Phind', hosts: ['phind.com'] },
  { name: 'Kimi', hosts: ['kimi.com', 'kimi.moonshot.cn'] },
  { name: 'Doubao', hosts: ['doubao.com'] },
  { name: 'Qwen', hosts: ['chat.qwen.ai'] },
]

interface Place {
  readonly name: string
  readonly path: string
}

const byHost = new Map<string, Place>()
const byApp = new Map<string, string>()
for (const { name, hosts, apps = [] } of ASSISTANTS) {
  for (const each of hosts) {
    const [host = '', path = ''] = each.split('/')
    byHost.set(host, { name, path: `/${path}` })
  }
  for (const app of apps) byApp.set(app, name)
}

/** The assistant of a `Referer` header. */
export function assistantAt(referrer: URL): string | undefined {
  const host = referrer.hostname.toLowerCase().replace(/\.$/, '')
  if (referrer.protocol === 'android-app:') return byApp.get(host)
  if (referrer.protocol !== 'https:' && referrer.protocol !== 'http:') return undefined
  const { name, path } = placeOf(host) ?? {}
  return name !== undefined && path !== undefined && isBelow(referrer.pathname, path) ? name : undefined
}

/** The assistant of a `utm_source` parameter, for links without a referrer: `chatgpt.com`, `perplexity`. */
export function assistantCalled(source: string): string | undefined {
  const called = source.trim().toLowerCase()
  const place = placeOf(called)
  if (place?.path === '/') return place.name
  return ASSISTANTS.find(({ name }) => name.toLowerCase() === called)?.name
}

/** Whether a host is the given one or a subdomain. */
function placeOf(host: string): Place | undefined {
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
    const place = byHost.get(name)
    if (place) return place
    if (!name.includes('.')) return undefined
  }
  return undefined
}

function isBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

// Registers the tools of the site with the browser (https://webmachinelearning.github.io/webmcp/). Browsers without WebMCP
// make no requests.

/** Earlier browser versions have the object at the navigator. */
const modelContext = document.modelContext ?? navigator.modelContext

/** Resolves when the last request that changes data has completed. */
let lastSent = Promise.resolve()

if (typeof modelContext?.registerTool === 'function') {
  const { tools } = JSON.parse(document.getElementById('ai-webmcp').textContent)
  // If the site is unreachable, there are no tools; visitors do not notice.
  offerTools(tools).catch(() => {})
}

/** @param {string} url route that lists the available tools */
async function offerTools(url) {
  const answer = await fetch(url)
  if (!answer.ok) return
  const { data } = await answer.json()
  for (const tool of data.items) await register(tool)
}

async function register(tool) {
  const { name, title, description, inputSchema, readOnly } = tool
  try {
    await modelContext.registerTool({
      ...{ name, title, description, inputSchema },
      // Content of posts and products is untrusted data, not instructions.
      annotations: { readOnlyHint: readOnly, untrustedContentHint: true },
      execute: (input) => call(tool, input ?? {}),
    })
  } catch (error) {
    // The page already has a tool with that name, which takes precedence.
    if (error?.name !== 'InvalidStateError') throw error
  }
}

/** Returns the rows or the error response: agents do not see thrown errors. */
async function call({ method, url, isAbility }, input) {
  const inAddress = new Set(Array.from(url.matchAll(/\{(\w+)\}/g), ([, name]) => name))
  const address = url.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(input[name]))
  const given = Object.entries(input).filter(([name, value]) => !inAddress.has(name) && value !== undefined)
  const answer = await (method === 'GET' ? read(address, given, isAbility) : send(address, given))
  const body = await answer.json()
  if (answer.ok) return isAbility ? body : body.data
  return { error: { code: body.code, message: body.message, status: answer.status, params: body.data?.params } }
}

function read(address, given, isAbility) {
  const named = given.map(([name, value]) => [isAbility ? `input[${name}]` : name, String(value)])
  return fetch(given.length > 0 ? `${address}?${new URLSearchParams(named)}` : address)
}

/**
 * In sequence: the first response sets the cart cookie, and a concurrent request would create another cart.
 */
function send(address, given) {
  const answer = lastSent.then(() =>
    fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(given)),
    }),
  )
  lastSent = answer.catch(() => {})
  return answer
}

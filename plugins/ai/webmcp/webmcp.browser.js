// Offers what the site has for agents to the browser (https://webmachinelearning.github.io/webmcp/). A browser without
// WebMCP loads nothing more.

/** Browsers before the object moved to the document had it at the navigator. */
const modelContext = document.modelContext ?? navigator.modelContext

/** Done when the browser has whatever the last request that changed something was answered with. */
let lastSent = Promise.resolve()

if (typeof modelContext?.registerTool === 'function') {
  const { tools } = JSON.parse(document.getElementById('ai-webmcp').textContent)
  // Agents do without the tools of a site that is not there for the moment; visitors see nothing of it.
  offerTools(tools).catch(() => {})
}

/** @param {string} url answers the tools that there are now */
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
      // What posts and products say was written by people, and nothing of it is an instruction.
      annotations: { readOnlyHint: readOnly, untrustedContentHint: true },
      execute: (input) => call(tool, input ?? {}),
    })
  } catch (error) {
    // The page has a tool of that name already, and that one counts.
    if (error?.name !== 'InvalidStateError') throw error
  }
}

/** Answers the rows, or what the site refused with: of an error that is thrown, agents learn nothing. */
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
 * One after the other: the first answer sets the cookie of the cart, and a second request beside it would begin another
 * cart.
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

// Offers what the site has for agents to the browser (https://webmachinelearning.github.io/webmcp/). A browser without
// WebMCP loads nothing more.

/** Browsers before the object moved to the document had it at the navigator. */
const modelContext = document.modelContext ?? navigator.modelContext

if (typeof modelContext?.registerTool === 'function') {
  const { api } = JSON.parse(document.getElementById('ai-webmcp').textContent)
  // Agents do without the tools of a site that is not there for the moment; visitors see nothing of it.
  offerTools(api).catch(() => {})
}

async function offerTools(api) {
  const answer = await fetch(`${api}/webmcp/tools`)
  if (!answer.ok) return
  const { data } = await answer.json()
  for (const tool of data.items) await register(api, tool)
}

async function register(api, tool) {
  const { name, title, description, inputSchema, readOnly } = tool
  try {
    await modelContext.registerTool({
      ...{ name, title, description, inputSchema },
      // What posts and products say was written by people, and nothing of it is an instruction.
      annotations: { readOnlyHint: readOnly, untrustedContentHint: true },
      execute: (input) => call(api, tool, input ?? {}),
    })
  } catch (error) {
    // The page has a tool of that name already, and that one counts.
    if (error?.name !== 'InvalidStateError') throw error
  }
}

/** Answers the rows, or what the site refused with: an agent can only mend what it is told. */
async function call(api, { method, path }, input) {
  const left = { ...input }
  const address = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = left[name]
    delete left[name]
    return encodeURIComponent(value)
  })
  const given = Object.entries(left).filter(([, value]) => value !== undefined && value !== null)
  const isRead = method === 'GET'
  const query = isRead && given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  const answer = await fetch(api + address + query, {
    method,
    ...(!isRead && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(left) }),
  })
  const body = await answer.json()
  if (answer.ok) return body.data
  return { error: { code: body.code, message: body.message, status: answer.status, params: body.data?.params } }
}

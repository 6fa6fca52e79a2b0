import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { temporaryFolder } from '../support/site-folder.ts'
import { extensionSource } from './extension-site.ts'

describe('a breakpoint in an extension’s own file', () => {
  it('binds by the source map of the script, as editors do it, and stops there', async () => {
    const siteDir = temporaryFolder()
    const folder = join(siteDir, 'extensions/tool')
    mkdirSync(folder, { recursive: true })
    const word = join(folder, 'word.ts')
    writeFileSync(
      word,
      `interface Options { readonly loud: boolean }\n\nexport function word(text: string, options?: Options): string {\n  const loud = options?.loud ?? true\n  return loud ? text.toUpperCase() : text\n}\n`,
    )
    const index = extensionSource(
      'tool',
      `host.hooks.addFilter('test_text', (text) => word(text))`,
      `import { word } from './word.ts'`,
    )
    writeFileSync(join(folder, 'index.ts'), index)

    const child = fork(join(import.meta.dirname, 'debugged-site.ts'), [siteDir], {
      execArgv: ['--inspect=127.0.0.1:0'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    const address = new Promise<string>((resolve) => {
      child.stderr?.on('data', (text: Buffer) => {
        const [url] = /ws:\S+/.exec(String(text)) ?? []
        if (url) resolve(url)
      })
    })
    await once(child, 'message')
    const debug = await connect(await address)
    await debug.send('Debugger.enable')
    const script = debug.events.find(
      ({ method, params }) => method === 'Debugger.scriptParsed' && sourcesOf(params).includes(word),
    )
    const place = script && generatedPlace(script.params, word, 4)
    const { breakpointId, locations } = await debug.send('Debugger.setBreakpointByUrl', {
      url: script?.params.url,
      ...place,
    })
    expect(locations).to.have.lengthOf(1)

    child.send('apply')
    const { params } = await debug.next('Debugger.paused')
    expect(params.hitBreakpoints).to.deep.equal([breakpointId])
    const [{ callFrameId, functionName, location }] = params.callFrames
    expect(functionName).to.equal('word')
    const origin = mapOf(script?.params).findEntry(location.lineNumber, location.columnNumber)
    expect(origin).to.include({ originalLine: 3 })
    const { result } = await debug.send('Debugger.evaluateOnCallFrame', { callFrameId, expression: 'text' })
    expect(result.value).to.equal('x')

    const answer = once(child, 'message')
    await debug.send('Debugger.resume')
    expect(await answer).to.deep.include({ text: 'X' })
    debug.close()
    child.send('close')
    await once(child, 'exit')
  })
})

/** What the inspector says; of each method only some fields are read. */
interface Parameters {
  readonly url: string
  readonly sourceMapURL: string
  readonly hitBreakpoints: readonly string[]
  readonly callFrames: readonly [
    { callFrameId: string; functionName: string; location: { lineNumber: number; columnNumber: number } },
  ]
}
interface Answer {
  readonly breakpointId: string
  readonly locations: readonly unknown[]
  readonly result: { readonly value: unknown }
}
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params: Parameters
  readonly result: Answer
}

/** A client of the inspector protocol (https://chromedevtools.github.io/devtools-protocol/v8/). */
async function connect(url: string) {
  const socket = new WebSocket(url)
  const events: Message[] = []
  const waiting: ((message: Message) => boolean)[] = []
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(String(data))
    events.push(message)
    for (const take of [...waiting]) if (take(message)) waiting.splice(waiting.indexOf(take), 1)
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  let id = 0
  const waitFor = (isWanted: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => {
      waiting.push((message) => {
        if (isWanted(message)) resolve(message)
        return isWanted(message)
      })
    })
  return {
    events,
    next: (method: string) => waitFor((message) => message.method === method),
    async send(method: string, params: object = {}): Promise<Answer> {
      const own = ++id
      const answer = waitFor((message) => message.id === own)
      socket.send(JSON.stringify({ id: own, method, params }))
      return (await answer).result
    },
    close: () => socket.close(),
  }
}

function mapOf(script: Parameters | undefined): SourceMap {
  const [, data = ''] = script?.sourceMapURL.split('base64,') ?? []
  return new SourceMap(JSON.parse(Buffer.from(data, 'base64').toString()))
}

/** Absolute paths of the files that a script was made of, as an editor resolves them. */
function sourcesOf(script: Parameters): string[] {
  if (!script.url.includes('/extensions/tool/')) return []
  const base = script.url.startsWith('file:') ? script.url : pathToFileURL(script.url)
  // What stands for an imported package has no file.
  const urls = mapOf(script).payload.sources.map((source) => new URL(source, base))
  return urls.map((url) => (url.protocol === 'file:' ? fileURLToPath(url) : ''))
}

/** Where in the script the first code of a line of the source is. */
function generatedPlace(script: Parameters, file: string, line: number) {
  const source = sourcesOf(script).indexOf(file)
  const map = mapOf(script)
  const wanted = map.payload.sources[source]
  for (let lineNumber = 0; lineNumber < 1000; lineNumber++) {
    for (let columnNumber = 0; columnNumber < 80; columnNumber++) {
      const entry = map.findEntry(lineNumber, columnNumber)
      if (!('originalSource' in entry) || entry.originalLine !== line - 1) continue
      if (entry.originalSource.endsWith(wanted ?? '\0') && entry.generatedLine === lineNumber) {
        return { lineNumber, columnNumber: entry.generatedColumn }
      }
    }
  }
  throw new Error(`Line ${line} of ${file} is not in the source map.`)
}

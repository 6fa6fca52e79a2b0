import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestHost, type TestHost } from 'pentad/testing'
import { writeGuest } from '../sandbox/guests.ts'
import { openSession } from '../support/session.ts'
import { until } from '../support/until.ts'

const GERMAN = `
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Hello"
msgstr "Hallo"

msgctxt "verb"
msgid "Post"
msgstr "Veröffentlichen"

msgid "%d vote"
msgid_plural "%d votes"
msgstr[0] "%d Stimme"
msgstr[1] "%d Stimmen"

#, fuzzy
msgid "Bye"
msgstr "Tschüs"
`
const POLISH = `
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "Hello"
msgstr "Cześć"

msgid "%d vote"
msgid_plural "%d votes"
msgstr[0] "%d głos"
msgstr[1] "%d głosy"
msgstr[2] "%d głosów"
`
const SOURCE = `
  permissions: { hooks: ['the_content'], routes: ['public'] },
  setup({ hooks, rest, __, _x, _n }) {
    const title = __('Hello', 'polls')
    hooks.addFilter('the_content', (html) => html + '<p class="hello">' + __('Hello', 'polls') + '</p>')
    rest.registerRoute('polls/v1', { method: 'GET', path: '/texts', access: 'public', handler: () => ({
      title,
      texts: [__('Hello', 'polls'), _x('Post', 'verb', 'polls'), __('Post', 'polls'), __('Bye', 'polls'), __('constructor', 'polls')],
      votes: [1, 2, 5].map((count) => _n('%d vote', '%d votes', count, 'polls').replace('%d', String(count))),
    }) })
    rest.registerRoute('polls/v1', { method: 'GET', path: '/other', access: 'public', handler: () => __('Hello', 'other') })
  },`

for (const isolation of ['process', 'sandbox'] as const) {
  describe(`the translations of an extension in ${isolation === 'process' ? 'the process' : 'a sandbox'}`, () => {
    let host: TestHost
    const texts = async (as?: string) => (await host.get('/wp-json/polls/v1/texts', as ? { as } : {})).json()
    const hello = async (headers: Readonly<Record<string, string>> = {}) =>
      /<p class="hello">(.*?)<\/p>/.exec(await (await host.request('/hello-world/', { headers })).text())?.[1]

    before(async () => {
      const folder = await writeGuest('polls', isolation, SOURCE)
      await mkdir(join(folder, 'languages'))
      await writeFile(join(folder, 'languages/polls-de.po'), GERMAN)
      await writeFile(join(folder, 'languages/polls-pl_PL.po'), POLISH)
      await writeFile(join(folder, 'languages/polls-fr.po'), 'msgid "Hello"\nmsgstr "Bonjour"\nnonsense')
      host = await createTestHost({ extensions: [folder] })
    })
    after(() => host.close())

    it('are in English where there is no translation', async () => {
      deepEqual(await texts(), {
        title: 'Hello',
        texts: ['Hello', 'Post', 'Post', 'Bye', 'constructor'],
        votes: ['1 vote', '2 votes', '5 votes'],
      })
    })

    it('are in the language of the site on pages and for visitors, also those of setup', async () => {
      const response = await host.request('/wp-json/wp/v2/settings', {
        method: 'POST',
        body: { language: 'de_AT' },
        as: 'administrator',
      })
      equal(response.status, 200)
      await until(async () => JSON.stringify(await texts()).includes('"title":"Hallo"'))
      deepEqual(await texts(), {
        title: 'Hallo',
        texts: ['Hallo', 'Veröffentlichen', 'Post', 'Bye', 'constructor'],
        votes: ['1 Stimme', '2 Stimmen', '5 Stimmen'],
      })
      equal(await hello(), 'Hallo')
    })

    it('are in the language of the user in routes, but not on pages', async () => {
      const me = await host.request('/wp-json/wp/v2/users/me', {
        method: 'POST',
        body: { locale: 'pl_PL' },
        as: 'editor',
      })
      equal(me.status, 200)
      deepEqual(await texts('editor'), {
        title: 'Hallo',
        texts: ['Cześć', 'Post', 'Post', 'Bye', 'constructor'],
        votes: ['1 głos', '2 głosy', '5 głosów'],
      })
      const editor = await host.host.auth.users.getByLogin('test-editor')
      ok(editor)
      equal(await hello({ ...(await openSession(host.host.auth, editor)) }), 'Hallo')
      ok(!/private/.test((await host.get('/hello-world/')).headers.get('Cache-Control') ?? ''))
    })

    it('are in English if the file is damaged', async () => {
      await host.request('/wp-json/wp/v2/users/me', { method: 'POST', body: { locale: 'fr_FR' }, as: 'author' })
      const { texts: shown } = JSON.parse(JSON.stringify(await texts('author')))
      equal(shown[0], 'Hello')
    })

    it('need the ID of the extension as their text domain', async () => {
      equal((await host.get('/wp-json/polls/v1/other')).status, 500)
    })
  })
}

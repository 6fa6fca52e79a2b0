/**
 * Writes `languages/pentad-admin.pot`, the template for translations: every text of the client, of the services, and of the
 * login pages, the emails, and the error pages that is passed to `__` and its variants, and the other texts of the server that they
 * translate.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GetTextTranslations, po } from 'gettext-parser'
import ts from 'typescript'
import { createTestHost } from '../app/testing/index.ts'
import { postTypeLabels, taxonomyLabels } from '../cms/content/routes/labels.ts'
import { SERVER_ERRORS } from './server-errors.ts'
import { SHOWN_LABELS } from './src/screens/content/shown-labels.ts'
import { kindOf, plainWordsOf, type SettingSchema } from './src/settings/schema.ts'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = [
  'admin/src/**/*.{ts,tsx}',
  'plugins/**/*.{ts,tsx}',
  'app/doctor/*.ts',
  'app/serve-unavailable.ts',
  'cms/{accounts,http,login,mail,privacy}/*.ts',
  'cms/content/discussion/*.ts',
  'cms/site/{comments/*,editor-bar/*,render}.ts',
]

const RECOMMENDATIONS = [
  'plugins/pwa/score/score-items.ts',
  'plugins/seo/overview/checks.ts',
  'plugins/speed/action-items/settings-items.ts',
]

/** Which argument of a function holds what. */
const FUNCTIONS: Readonly<Record<string, { readonly plural?: number; readonly context?: number }>> = {
  __: {},
  esc_html__: {},
  _x: { context: 1 },
  _n: { plural: 1 },
  _nx: { plural: 1, context: 3 },
}

interface Found {
  readonly text: string
  readonly plural: string | undefined
  readonly context: string
  readonly file: string
}

/** Of a function that is called, also as a property: `texts.esc_html__`. */
function nameOf(called: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(called)) return called.name.text
  return ts.isIdentifier(called) ? called.text : undefined
}

function textsIn(file: string): Found[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    const name = ts.isCallExpression(node) ? nameOf(node.expression) : undefined
    if (ts.isCallExpression(node) && name !== undefined) {
      const places = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
      const argument = (at: number | undefined) => {
        const given = at === undefined ? undefined : node.arguments[at]
        return given && ts.isStringLiteralLike(given) ? given.text : undefined
      }
      const text = argument(0)
      if (places && text !== undefined) {
        found.push({ text, plural: argument(places.plural), context: argument(places.context) ?? '', file })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The labels of WordPress's own post types and taxonomies, which come from the server. */
function labels(): Found[] {
  const all = [
    postTypeLabels({ label: 'Posts', singularLabel: 'Post', hierarchical: false }),
    postTypeLabels({ label: 'Pages', singularLabel: 'Page', hierarchical: true }),
    postTypeLabels({ label: 'Patterns', singularLabel: 'Pattern', hierarchical: false }),
    taxonomyLabels({ label: 'Categories', singularLabel: 'Category', hierarchical: true }),
    taxonomyLabels({ label: 'Tags', singularLabel: 'Tag', hierarchical: false }),
    taxonomyLabels({ label: 'Pattern Categories', singularLabel: 'Pattern Category', hierarchical: false }),
  ]
  return all.flatMap((named) =>
    SHOWN_LABELS.flatMap((name) => {
      const text = named[name]
      return text ? [{ text, plural: undefined, context: '', file: 'cms/content/routes/labels.ts' }] : []
    }),
  )
}

/** The titles, descriptions, and choices of settings, as a site with all services sends them. */
async function settings(): Promise<Found[]> {
  const site = await createTestHost({ services: true })
  const { settings: registry } = site.host
  const found = registry.names().flatMap((name) => {
    const { properties = {} }: SettingSchema = registry.get(name)?.jsonSchema() ?? {}
    return Object.values(properties).flatMap((schema) => {
      const choices = kindOf(schema) === 'choice' ? (schema.enum ?? []).map(plainWordsOf) : []
      const texts = [schema.title, schema.description, ...choices]
      return texts.flatMap((text) =>
        text ? [{ text, plural: undefined, context: '', file: `settings of ${name}` }] : [],
      )
    })
  })
  await site.close()
  return found
}

/** The errors that pages show. */
const errors = (): Found[] =>
  SERVER_ERRORS.map((text) => ({ text, plural: undefined, context: '', file: 'admin/server-errors.ts' }))

/** The labels of buttons in the findings of Site Health, and the lists of recommendations of services. */
function namedTexts(): Found[] {
  const find = (files: readonly string[], pattern: RegExp) =>
    globSync(files, { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(pattern)].map(([, text = '']) => ({
        ...{ text, plural: undefined, context: '', file },
      })),
    )
  return [
    ...find(['app/doctor/*.ts', 'plugins/*/doctor.ts'], /\blabel: '([^']+)'/g),
    ...find(RECOMMENDATIONS, /\b(?:title|description):\s+'([^']+)'/g),
  ]
}

/** The labels of the default theme's menu locations. */
function menuLocations(): Found[] {
  const file = 'themes/default/menus.json'
  const places: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  return Object.values(places).map((text) => ({ text, plural: undefined, context: '', file }))
}

const HEADERS = {
  'Project-Id-Version': 'Pentad admin',
  'MIME-Version': '1.0',
  'Content-Type': 'text/plain; charset=UTF-8',
  'Content-Transfer-Encoding': '8bit',
  'Plural-Forms': 'nplurals=2; plural=(n != 1);',
  Language: '',
}

/** The template, in gettext-parser's format: messages by context and `msgid`, without translations. */
export async function makeTemplate(): Promise<GetTextTranslations> {
  const files = globSync(SOURCES, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  const translations: GetTextTranslations['translations'] = {}
  for (const { text, plural, context, file } of [
    ...files.flatMap(textsIn),
    ...labels(),
    ...namedTexts(),
    ...menuLocations(),
    ...errors(),
    ...(await settings()),
  ]) {
    translations[context] ??= {}
    const entries = translations[context]
    const known = entries[text]
    const references = new Set([...(known?.comments?.reference?.split('\n') ?? []), file])
    const msgidPlural = plural ?? known?.msgid_plural
    entries[text] = {
      msgid: text,
      ...(context !== '' && { msgctxt: context }),
      ...(msgidPlural !== undefined && { msgid_plural: msgidPlural }),
      msgstr: msgidPlural === undefined ? [''] : ['', ''],
      comments: { reference: [...references].join('\n') },
    }
  }
  return { charset: 'utf-8', headers: HEADERS, translations }
}

if (import.meta.main) writeFileSync(join(ROOT, 'admin/languages/pentad-admin.pot'), po.compile(await makeTemplate()))

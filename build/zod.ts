import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** The names of a schema's classes: the schemas of a class share one set, which is never changed. */
const TRAITS = `const noTraits = new Set(), traitsWith = new WeakMap()
function withTrait(traits, name) {
  if (!traitsWith.has(traits)) traitsWith.set(traits, new Map())
  const known = traitsWith.get(traits)
  if (!known.has(name)) known.set(name, new Set(traits).add(name))
  return known.get(name)
}
`

/** The methods of a class: the classes that inherit one share its getter and setter. */
const METHODS = `const methods = new WeakMap()
function defineBound(proto, key, fn) {
  const known = methods.get(fn)
  if (known?.key === key) return void Object.defineProperty(proto, key, known.descriptor)
  defineNewBound(proto, key, fn)
  methods.set(fn, { key, descriptor: Object.getOwnPropertyDescriptor(proto, key) })
}
`

/** By the end of a file's path, what is replaced in it, and what is added to it. */
const PATCHES: readonly {
  readonly file: string
  readonly replaced: Readonly<Record<string, string>>
  readonly added: string
}[] = [
  {
    file: '/zod/v4/core/core.js',
    replaced: {
      'this.traits = new Set()': 'this.traits = noTraits',
      'inst._zod.traits.add(name)': 'inst._zod.traits = withTrait(inst._zod.traits, name)',
    },
    added: TRAITS,
  },
  {
    file: '/zod/v4/core/util.js',
    replaced: { 'function defineBound(proto, key, fn)': 'function defineNewBound(proto, key, fn)' },
    added: METHODS,
  },
]

/** Zod creates a set for each of the 9,000 schemas of a site, and 10,000 getters and setters: 3 MB that schemas and classes can share. */
export const zodWithSharedParts: Plugin = {
  name: 'zod-with-shared-parts',
  setup(build) {
    build.onLoad({ filter: /\/zod\/v4\/core\/(?:core|util)\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8')
      for (const { file, replaced, added } of PATCHES.filter(({ file }) => path.endsWith(file))) {
        for (const [code, replacement] of Object.entries(replaced)) {
          if (!contents.includes(code)) throw new Error(`${file} no longer contains: ${code}`)
          contents = contents.replace(code, replacement)
        }
        contents += added
      }
      return { contents, loader: 'js' }
    })
  },
}

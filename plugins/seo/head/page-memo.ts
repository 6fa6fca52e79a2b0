import type { PageContext } from 'pentad'

/** What was made for a page, with the cache tags that it added. */
interface Made<Value> {
  readonly inputs: readonly unknown[]
  readonly value: Value
  readonly tags: readonly string[]
}

/**
 * Makes a part of a page, or reuses it while it depends on the same things.
 * @param parts.key object that is replaced when the site changes: the data of a post, or the posts of a list; `undefined`
 * for a page that is not the same for all visitors
 * @param parts.inputs everything else that it depends on, compared by identity
 * @param parts.make receives the page whose tags are recorded
 */
export type PageMemo<Value> = (
  page: PageContext,
  parts: {
    readonly key: object | undefined
    readonly inputs: readonly unknown[]
    make(page: PageContext): Promise<Value>
  },
) => Value | Promise<Value>

export function createPageMemo<Value>(): PageMemo<Value> {
  const known = new WeakMap<object, Made<Value>>()

  type Parts = Parameters<PageMemo<Value>>[1]

  async function makeNow(page: PageContext, { key, inputs, make }: Parts): Promise<Value> {
    const tags: string[] = []
    const addTags = (...names: string[]) => {
      tags.push(...names)
      page.addTags(...names)
    }
    const value = await make(Object.create(page, { addTags: { value: addTags } }))
    if (key) known.set(key, { inputs, value, tags })
    return value
  }

  return (page, parts) => {
    const found = parts.key && known.get(parts.key)
    if (!found?.inputs.every((input, at) => input === parts.inputs[at])) return makeNow(page, parts)
    page.addTags(...found.tags)
    return found.value
  }
}

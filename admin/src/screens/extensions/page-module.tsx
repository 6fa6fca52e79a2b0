import { Box, Skeleton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type Query, read, change as send } from '../../api/rest.ts'
import { __, sprintf } from '../../i18n.ts'
import { type PageData, pageData } from '../../page-data.ts'
import { PageProblem } from './page-boundary.tsx'
import type { ExtensionPageData } from './part.ts'

/** What `render` of a module receives in addition to its root element. */
interface PageTools {
  /** Reads a route and unwraps its response: `read('shop/v1/orders', { page: 2 })`. */
  read<Data>(path: string, query?: Query): Promise<Data>
  /** Calls a route that writes, as the current user. */
  change<Data>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, data?: unknown): Promise<Data>
  readonly user: PageData['user']
  /** Aborted when the page is left. */
  readonly signal: AbortSignal
}

type CleanUp = () => void
type Render = (root: HTMLElement, tools: PageTools) => unknown

/** A page rendered by an ES module of its extension. */
export function PageModule({ page, module }: { page: ExtensionPageData; module: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [error, setError] = useState<unknown>()
  const [isDrawn, setDrawn] = useState(false)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try draws again
  useEffect(() => {
    const leaving = new AbortController()
    const root = document.createElement('div')
    place.current?.append(root)
    let cleanUp: CleanUp | undefined
    setError(undefined)
    draw(module, root, leaving.signal).then(
      (drawn) => {
        if (leaving.signal.aborted) drawn?.()
        else cleanUp = drawn
        setDrawn(true)
      },
      (problem) => {
        if (leaving.signal.aborted) return
        setError(problem)
        setDrawn(true)
      },
    )
    return () => {
      leaving.abort()
      try {
        cleanUp?.()
      } finally {
        root.remove()
      }
    }
  }, [module, tries])
  return (
    <>
      {error !== undefined && (
        <PageProblem owner={page.owner} error={error} onRetry={() => setTries((before) => before + 1)} />
      )}
      {!isDrawn && <Skeleton height={120} role="status" aria-label={__('Loading', 'pentad')} />}
      <Box ref={place} data-extension={page.extension} />
    </>
  )
}

async function draw(address: string, root: HTMLElement, signal: AbortSignal): Promise<CleanUp | undefined> {
  const loaded: { readonly default?: unknown } = await import(/* @vite-ignore */ address).catch(() => {
    throw new Error(__('This page’s script could not be loaded. It may have been updated. Reload the page.', 'pentad'))
  })
  if (!isRender(loaded.default)) {
    throw new Error(sprintf(__('%s must have a function as its default export.', 'pentad'), address))
  }
  const result = await loaded.default(root, {
    read: (path, query) => read(path, query, signal),
    change: (method, path, data) => send(method, path, data, { signal }),
    user: pageData.user,
    signal,
  })
  return typeof result === 'function' ? () => void result() : undefined
}

function isRender(value: unknown): value is Render {
  return typeof value === 'function'
}

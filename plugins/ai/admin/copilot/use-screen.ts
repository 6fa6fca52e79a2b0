import { useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'

/** What the user is looking at, as the copilot receives it. */
export interface ShownScreen {
  readonly title: string
  /** The post in the editor. */
  readonly postId: number | undefined
}

const EDITORS = /^\/(?:posts|pages|media|content\/[^/]+)\/(\d+)/

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.head, { childList: true, subtree: true, characterData: true })
  return () => observer.disconnect()
}

export function useScreen(): ShownScreen {
  const { pathname } = useLocation()
  // The document title without the name of the site.
  const title = useSyncExternalStore(subscribe, () => document.title.replace(/ – [^–]*$/, ''))
  const id = EDITORS.exec(pathname)?.[1]
  return { title, postId: id === undefined ? undefined : Number(id) }
}

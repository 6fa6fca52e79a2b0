import { pageData } from 'pentad/admin/page-data.ts'
import { useSyncExternalStore } from 'react'
import type { ShownScreen } from './use-screen.ts'

/** A message to the copilot. */
export interface Asked {
  readonly message: string
  /** What the user looks at, where they tell. */
  readonly screen: ShownScreen | undefined
  /** Ids of posts that are mentioned. */
  readonly mentions: readonly number[]
}

interface PanelState {
  readonly isOpen: boolean
  /** The conversation that is shown; `undefined` is a new one. */
  readonly conversationId: number | undefined
  /** The last message, until it is answered. */
  readonly request: { readonly id: string; readonly asked?: Asked } | undefined
  /** What shall stand in the field for the next message. */
  readonly draft: string
}

/** Of this tab and user: after loading it anew the panel is as it was. */
const KEY = `pentad-copilot:${pageData.user.id}`

let state: PanelState = { isOpen: false, conversationId: undefined, request: undefined, draft: '', ...kept() }
const listeners = new Set<() => void>()

function kept(): Partial<PanelState> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the copilot is and what it shows. */
export function usePanelState(): PanelState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Without what is typed there: the frame of all screens asks. */
export function useIsCopilotOpen(): boolean {
  return useSyncExternalStore(subscribe, () => state.isOpen)
}

export function setPanel(changes: Partial<PanelState>): void {
  state = { ...state, ...changes }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state))
  } catch {
    // A browser that keeps nothing forgets where one was.
  }
  for (const listener of listeners) listener()
}

/** Opens the copilot beside whatever screen is open, with a conversation or a message to begin with. */
export function openCopilot(how: Partial<Pick<PanelState, 'conversationId' | 'draft'>> = {}): void {
  setPanel({ ...how, ...('conversationId' in how && { request: undefined }), isOpen: true })
}

export const closeCopilot = (): void => setPanel({ isOpen: false })
export const toggleCopilot = (): void => setPanel({ isOpen: !state.isOpen })

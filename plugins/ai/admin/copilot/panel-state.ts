import { pageData } from 'pentad/admin/page-data.ts'
import { useSyncExternalStore } from 'react'
import type { ShownScreen } from './use-screen.ts'

/** A message to the copilot. */
export interface Asked {
  readonly message: string
  /** What the user is looking at, if they share it. */
  readonly screen: ShownScreen | undefined
  /** Ids of mentioned posts. */
  readonly mentions: readonly number[]
}

interface PanelState {
  readonly isOpen: boolean
  /** The conversation on screen; `undefined` is a new one. */
  readonly conversationId: number | undefined
  /** The last message, until it is answered. */
  readonly request: { readonly id: string; readonly asked?: Asked } | undefined
  /** Initial text of the message field. */
  readonly draft: string
}

/** Stored per tab and user, so that the panel survives a reload. */
const KEY = `pentad-copilot:${pageData.user.id}`

let state: PanelState = { isOpen: false, conversationId: undefined, request: undefined, draft: '', ...storedState() }
const listeners = new Set<() => void>()

function storedState(): Partial<PanelState> {
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

/** The state of the panel, and what it shows. */
export function usePanelState(): PanelState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Without the draft: the layout of all screens reads this. */
export function useIsCopilotOpen(): boolean {
  return useSyncExternalStore(subscribe, () => state.isOpen)
}

export function setPanel(changes: Partial<PanelState>): void {
  state = { ...state, ...changes }
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state))
  } catch {
    // Browsers without storage lose the state on reload.
  }
  for (const listener of listeners) listener()
}

/** Opens the copilot on the current screen, optionally with a conversation or a message. */
export function openCopilot(how: Partial<Pick<PanelState, 'conversationId' | 'draft'>> = {}): void {
  setPanel({ ...how, ...('conversationId' in how && { request: undefined }), isOpen: true })
}

export const closeCopilot = (): void => setPanel({ isOpen: false })
export const toggleCopilot = (): void => setPanel({ isOpen: !state.isOpen })

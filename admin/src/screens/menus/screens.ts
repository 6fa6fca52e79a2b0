import type { Screen } from '../screen.ts'

export const menuScreens: readonly Screen[] = []

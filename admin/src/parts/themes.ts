import type { Responses } from '../api/responses.ts'
import { __ } from '../i18n.ts'

export const THEMES = 'host/v1/themes'
/** An installed theme. */
export type ThemeInfo = Responses['GET /host/v1/themes']['items'][number]

/** Themes other than the default are shown by their folder name. */
export const themeTitle = (name: string) => (name === 'default' ? __('Default', 'pentad') : name)

import { createTheme, type MantineColorsTuple } from '@mantine/core'
import type { MouseEvent } from 'react'
import { __ } from './i18n.ts'

/** A blue with WCAG 2.2 AA contrast on white and on dark backgrounds. */
const pentad: MantineColorsTuple = [
  '#eef3ff',
  '#dbe4fd',
  '#b5c7f7',
  '#8ca8f2',
  '#6a8ded',
  '#547ceb',
  '#3b64d8',
  '#2f56c4',
  '#274aad',
  '#1c3c93',
]

export const theme = createTheme({
  primaryColor: 'pentad',
  primaryShade: { light: 7, dark: 6 },
  colors: { pentad },
  autoContrast: true,
  // On lighter colors white text has less than WCAG's 4.5:1 contrast, so text becomes black.
  luminanceThreshold: 0.18,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1.05rem' } },
  },
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    CloseButton: { defaultProps: { 'aria-label': __('Close', 'pentad') } },
    ColorInput: {
      defaultProps: { eyeDropperButtonProps: { 'aria-label': __('Pick a color from the screen', 'pentad') } },
    },
    ColorPicker: {
      defaultProps: {
        saturationLabel: __('Saturation and brightness', 'pentad'),
        hueLabel: __('Hue', 'pentad'),
      },
    },
    // The first item gets the focus, as in the menu pattern of the ARIA Authoring Practices.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': __('Show password', 'pentad') } },
    },
    Select: {
      defaultProps: {
        // The name of the selected option is in the field: a search replaces it.
        onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
          if (!currentTarget.readOnly) currentTarget.select()
        },
        nothingFoundMessage: __('No results found', 'pentad'),
        // Enter chooses the first result of a search.
        selectFirstOptionOnChange: true,
      },
    },
    // As the labels of individual fields.
    Fieldset: { styles: { root: { marginInline: 0 }, legend: { fontWeight: 'var(--mantine-font-weight-medium)' } } },
  },
})

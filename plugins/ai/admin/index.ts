import { IconSparkles } from '@tabler/icons-react'
import { defineAdmin } from 'pentad/admin'
import { __ } from 'pentad/admin/i18n.ts'
import { closeCopilot, toggleCopilot, useIsCopilotOpen } from './copilot/panel-state.ts'
import { screens } from './screens.ts'

export default defineAdmin({
  id: 'ai',
  position: 30,
  screens,
  aside: {
    title: __('Copilot', 'pentad'),
    // The capability that `ai/v1/copilot` requires.
    capability: 'manage_options',
    icon: IconSparkles,
    shortcut: { hotkey: 'mod+J', aria: 'Control+J', label: __('Copilot (Ctrl+J)', 'pentad') },
    useIsOpen: useIsCopilotOpen,
    toggle: toggleCopilot,
    close: closeCopilot,
    load: () => import('./copilot/copilot-panel.tsx'),
  },
})

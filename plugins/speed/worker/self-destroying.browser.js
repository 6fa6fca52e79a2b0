/**
 * Replaces the worker while it is turned off: browsers that still have it install this one, which unregisters itself.
 */
import { leave } from './unregister.browser.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(leave()))

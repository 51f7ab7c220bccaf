import { finishCode } from '../site/code.js';
import { listPages, showContents } from '../site/navigation.js';
import { listenForSearch } from '../site/search.js';
import { restoreTheme, showTheme } from '../site/theme.js';

// The script of the project's own site. Pages can be read without it.

restoreTheme();
document.addEventListener('DOMContentLoaded', () => {
  showTheme();
  finishCode();
  showContents();
  listenForSearch();
  void listPages();
});

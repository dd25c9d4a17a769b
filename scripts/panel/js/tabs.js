// On phones, tabs scroll sideways. The current one is in view, with a part of the one before it.
for (const tab of document.querySelectorAll('.tabs [aria-current]'))
  tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 32;

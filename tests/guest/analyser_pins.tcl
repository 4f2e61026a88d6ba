analyser define all { trace -entries 10 }
